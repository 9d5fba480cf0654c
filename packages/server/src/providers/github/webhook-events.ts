import type { z } from 'zod'
import type { CodehostDeployment } from '../codehosts/deployment.ts'
import type { CodehostEvent } from '../codehosts/event.ts'
import { readWebhookBody } from './webhook-body.ts'
import {
  authorizationPayload,
  deploymentPayload,
  deploymentStatusPayload,
  installationPayload,
  pullRequestPayload,
  pushPayload,
  workflowRunPayload,
} from './webhook-shapes.ts'
import { toWait, waitPayload } from './checks/wait-event.ts'

const ignored = (reason: string): CodehostEvent => ({ type: 'ignored', reason })
const unused = ignored('Signalbox doesn’t use this action.')

function toDeployment(
  { deployment, workflow, workflow_run: run }: z.output<typeof deploymentPayload>,
  job: string | null = null,
): CodehostDeployment {
  return {
    ...deployment,
    headBranch: run?.head_branch ?? null,
    headCommitMessage: run?.head_commit?.message ?? null,
    workflowId: workflow?.id ?? null,
    run: run?.id ? { id: `${run.id}/${run.run_attempt}`, job } : null,
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
  if (!isInstallationAction(action)) return unused
  return { type: 'access', change: installationChanges[action], accountId: installation.id }
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
    return ignored(`The body doesn’t fit this event: see ${where === '' ? 'its form' : where}.`)
  }
}

/** Lists what changes the state or the head of a pull request, or the branch that it is for. */
const pullRequestActions: ReadonlySet<string> = new Set([
  'opened',
  'reopened',
  'synchronize',
  'edited',
  'closed',
])

function toPullRequest({
  action,
  repository,
  pull_request: pullRequest,
}: z.output<typeof pullRequestPayload>): CodehostEvent {
  return pullRequestActions.has(action) ? { type: 'pullRequest', repository, pullRequest } : unused
}

function toDeploymentWaits(payload: z.output<typeof waitPayload>): CodehostEvent {
  if (payload.action !== 'requested') return unused
  const wait = toWait(payload)
  return wait === undefined
    ? ignored('The body doesn’t say which run waits.')
    : { type: 'deploymentWaits', repository: payload.repository, wait }
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
  [
    'deployment_status',
    readAs(deploymentStatusPayload, (payload) => ({
      type: 'deploymentStatus',
      repository: payload.repository,
      deployment: toDeployment(payload, payload.check_run?.name),
      status: payload.deployment_status,
    })),
  ],
  [
    'workflow_run',
    readAs(workflowRunPayload, (payload) => ({
      type: 'run',
      repository: payload.repository,
      run: payload.workflow_run,
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
  ['pull_request', readAs(pullRequestPayload, toPullRequest)],
  ['deployment_protection_rule', readAs(waitPayload, toDeploymentWaits)],
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
 * Reads what a webhook of GitHub tells us. `name` is its `X-GitHub-Event`. Never throws: what cannot be read, and what is none of
 * ours, is `ignored` with a reason.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads
 */
export function parseGithubEvent(name: string, body: Buffer): CodehostEvent {
  const read = readers.get(name)
  if (read === undefined) return ignored('Signalbox doesn’t use this event.')
  const payload = readWebhookBody(body)
  if (payload === undefined) return ignored('The body is not valid JSON.')
  return read(payload)
}
