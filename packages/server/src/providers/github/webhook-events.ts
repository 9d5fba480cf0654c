import type { z } from 'zod'
import type { CodehostDeployment, CodehostEvent, CodehostRun } from '../codehost.ts'
import { readWebhookBody } from './webhook-body.ts'
import {
  authorizationPayload,
  deploymentPayload,
  deploymentStatusPayload,
  installationPayload,
  pushPayload,
  workflowRunPayload,
} from './webhook-shapes.ts'

/** Longer payloads of deployments are cut: only keys of issues are looked for in them. */
const payloadTextMax = 10_000

const ignored = (reason: string): CodehostEvent => ({ type: 'ignored', reason })

function toDeployment({
  deployment,
  workflow_run: run,
}: z.output<typeof deploymentPayload>): CodehostDeployment {
  const { payload } = deployment
  const payloadText = typeof payload === 'string' ? payload : (JSON.stringify(payload) ?? '')
  return {
    externalId: deployment.id,
    sha: deployment.sha,
    ref: deployment.ref,
    task: deployment.task,
    environment: deployment.environment,
    description: deployment.description ?? null,
    creator: deployment.creator,
    payloadText: payloadText.slice(0, payloadTextMax),
    isTransient: deployment.transient_environment ?? false,
    isProduction: deployment.production_environment ?? false,
    createdAt: deployment.created_at,
    headBranch: run?.head_branch ?? null,
    headCommitMessage: run?.head_commit?.message ?? null,
  }
}

function toRun({ workflow_run: run }: z.output<typeof workflowRunPayload>): CodehostRun {
  return {
    externalId: run.id,
    workflowId: run.workflow_id,
    attempt: run.run_attempt ?? 1,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion ?? null,
    headSha: run.head_sha,
    headBranch: run.head_branch ?? null,
    title: run.display_title ?? run.name ?? '',
    url: run.html_url,
    startedAt: run.run_started_at ?? null,
    updatedAt: run.updated_at,
  }
}

function toStatus(payload: z.output<typeof deploymentStatusPayload>): CodehostEvent {
  const { deployment_status: status, repository } = payload
  return {
    type: 'deploymentStatus',
    repository,
    deployment: toDeployment(payload),
    status: {
      externalId: status.id,
      state: status.state,
      environment: status.environment,
      description: status.description ?? null,
      environmentUrl: status.environment_url,
      logUrl: status.log_url ?? status.target_url,
      at: status.created_at,
    },
  }
}

const installationChanges = {
  created: 'created',
  deleted: 'deleted',
  suspend: 'suspended',
  unsuspend: 'unsuspended',
  new_permissions_accepted: 'permissions',
  added: 'repositories',
  removed: 'repositories',
} as const
type InstallationAction = keyof typeof installationChanges

const isInstallationAction = (action: string): action is InstallationAction =>
  Object.hasOwn(installationChanges, action)

function toInstallation({
  action,
  installation,
}: z.output<typeof installationPayload>): CodehostEvent {
  if (!isInstallationAction(action)) return ignored('Nothing follows from this action.')
  return { type: 'installation', change: installationChanges[action], accountId: installation.id }
}

/** Reads a payload of `shape`, or says that it has another one, without repeating what it holds. */
function readAs<Shape extends z.ZodType>(
  shape: Shape,
  toEvent: (payload: z.output<Shape>) => CodehostEvent,
): (payload: unknown) => CodehostEvent {
  return (payload) => {
    const { data, error } = shape.safeParse(payload)
    if (error === undefined) return toEvent(data)
    const where = error.issues[0]?.path.join('.') ?? ''
    return ignored(`The body is not one of this event: see ${where === '' ? 'its form' : where}.`)
  }
}

const readInstallation = readAs(installationPayload, toInstallation)

const readers = new Map<string, (payload: unknown) => CodehostEvent>([
  [
    'deployment',
    readAs(deploymentPayload, (payload) => ({
      type: 'deployment',
      repository: payload.repository,
      deployment: toDeployment(payload),
    })),
  ],
  ['deployment_status', readAs(deploymentStatusPayload, toStatus)],
  [
    'workflow_run',
    readAs(workflowRunPayload, (payload) => ({
      type: 'run',
      repository: payload.repository,
      run: toRun(payload),
    })),
  ],
  [
    'push',
    readAs(pushPayload, ({ repository, ref, after, deleted }) => ({
      type: 'push',
      repository,
      ref,
      after,
      isDeleted: deleted ?? false,
    })),
  ],
  ['installation', readInstallation],
  ['installation_repositories', readInstallation],
  [
    'github_app_authorization',
    readAs(authorizationPayload, ({ sender }) => ({
      type: 'authorizationRevoked',
      login: sender.login,
    })),
  ],
  ['ping', () => ({ type: 'ping' })],
])

/**
 * What a webhook of GitHub tells us. `name` is its `X-GitHub-Event`. Never throws: what cannot be read, and what is none of
 * ours, is `ignored` with a reason.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads
 */
export function parseGithubEvent(name: string, body: Buffer): CodehostEvent {
  const read = readers.get(name)
  if (read === undefined) return ignored('Signalbox has no use for this event.')
  const payload = readWebhookBody(body)
  if (payload === undefined) return ignored('The body is no JSON.')
  return read(payload)
}
