import { recordCodehostEvent } from './deployments/reports/record-codehost-event.ts'
import { recordDeletedBranch } from './commit-checks/record-deleted-branch.ts'
import { recordPullRequestEvent } from './commit-checks/record-pull-request-event.ts'
import type { GateDeps } from './gates/gate-deps.ts'
import { recordWait } from './gates/record-wait.ts'
import type { IssueDeps } from './deployments/issues/enrich-issues.ts'
import { recordIssueChange } from './deployments/issues/record-issue-change.ts'
import { findRepositoryId } from './deployments/codehost/tracked-repository-rows.ts'
import type { HostDeploymentDeps } from './deployments/deployment-deps.ts'
import type { DeliveryResult } from './inbox/delivery.ts'
import type { EventHandler } from './inbox/process-webhook.ts'
import { recordAccessEvent } from './integrations/health/record-access-event.ts'
import type { AccessDeps } from './integrations/health/refresh-access.ts'
import {
  recordTrackerEvent,
  type TrackerEventDeps,
} from './integrations/health/record-tracker-event.ts'
import { recordChatEvent, type ChatEventDeps } from './notifications/chat/record-chat-event.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { ChatEvent } from './providers/chat/chat.ts'
import type { CodehostApi } from './providers/codehost.ts'
import type { CodehostEvent } from './providers/codehosts/event.ts'
import type { TrackerEvent } from './providers/tracker-event.ts'
import { followQueue } from './previews/preview-deps.ts'
import { recordRunEvent } from './test-runs/runs/record-run-event.ts'
import type { TestRunDeps } from './test-runs/test-run-deps.ts'

/** Lists what the events of a code host change: deployments, test runs and the access to an account. */
export type CodehostHandlerDeps = HostDeploymentDeps &
  TestRunDeps &
  AccessDeps & {
    readonly openCodehost: (orgId: string) => Promise<CodehostApi>
    readonly gates: GateDeps
    readonly jobs: Pick<Jobs, 'enqueueAll'>
  }

const done: DeliveryResult = { outcome: 'done' }
const ignored = (reason: string): DeliveryResult => ({ outcome: 'ignored', reason })

/** Creates the handler that passes an event of a code host to the feature it is about. */
export function createCodehostHandler(deps: CodehostHandlerDeps): EventHandler<CodehostEvent> {
  return async (of, event) => {
    const { orgId } = of
    switch (event.type) {
      case 'deployment':
      case 'deploymentStatus':
        return recordReport(deps, orgId, event)
      case 'deploymentHint':
        return recordCurrentState(deps, orgId, event)
      case 'run':
        return recordRun(deps, orgId, event)
      case 'access':
      case 'authorizationRevoked':
        return recordAccessEvent(deps, of, event)
      case 'pullRequest':
        return followPullRequest(deps, orgId, event)
      case 'deploymentWaits':
        return judgeWait(deps, orgId, event)
      case 'push':
        return followPush(deps, orgId, event)
      case 'ping':
        return done
      case 'ignored':
        return ignored(event.reason)
    }
  }
}

async function recordReport(
  deps: CodehostHandlerDeps,
  orgId: string,
  event: CodehostEvent,
): Promise<DeliveryResult> {
  const recorded = await recordCodehostEvent(deps, { orgId, event, source: 'webhook' })
  return recorded.outcome === 'ignored' ? recorded : done
}

async function recordRun(
  deps: CodehostHandlerDeps,
  orgId: string,
  { repository, run }: Extract<CodehostEvent, { readonly type: 'run' }>,
): Promise<DeliveryResult> {
  const recorded = await deps.store.transaction({ orgId }, (tx) =>
    recordRunEvent(deps, tx, { orgId, repositoryExternalId: repository.externalId, run }),
  )
  return recorded === 'unrelated' ? ignored('Not a Signalbox test run.') : done
}

async function followPush(
  deps: CodehostHandlerDeps,
  orgId: string,
  event: Extract<CodehostEvent, { readonly type: 'push' }>,
): Promise<DeliveryResult> {
  const isOfChecks = await recordDeletedBranch(deps, orgId, event)
  return isOfChecks ? done : ignored('Deployments are recorded, not pushes.')
}

async function followPullRequest(
  deps: CodehostHandlerDeps,
  orgId: string,
  event: Extract<CodehostEvent, { readonly type: 'pullRequest' }>,
): Promise<DeliveryResult> {
  const isNewest = await recordPullRequestEvent(deps, orgId, event)
  await deps.store.transaction({ orgId }, async (tx) => {
    const id = await findRepositoryId(tx, orgId, event.repository.externalId)
    if (id !== undefined)
      await deps.jobs.enqueueAll(tx, followQueue, [{ data: { orgId, id }, key: id }])
  })
  return isNewest ? done : ignored('A newer webhook has said what the pull request is.')
}

/** Judges a run that waits. What the webhook leaves out is read from the host before. */
async function judgeWait(
  { gates, openCodehost }: CodehostHandlerDeps,
  orgId: string,
  { repository, wait }: Extract<CodehostEvent, { readonly type: 'deploymentWaits' }>,
): Promise<DeliveryResult> {
  const { waits } = await openCodehost(orgId)
  const known = await waits?.read(repository.externalId, wait)
  if (known === undefined) return ignored('The run no longer waits for an answer.')
  const outcome = await recordWait(gates, { orgId, repository, wait: known })
  return outcome === 'over' ? ignored('A later attempt of the run waits.') : done
}

/** Records what a deployment is now. Its host did not say in the webhook. */
async function recordCurrentState(
  deps: CodehostHandlerDeps,
  orgId: string,
  { repositoryId, deploymentId }: Extract<CodehostEvent, { readonly type: 'deploymentHint' }>,
): Promise<DeliveryResult> {
  const api = await deps.openCodehost(orgId)
  const current = await api.deployments?.read?.(repositoryId, deploymentId)
  if (current === undefined) return ignored('The code host no longer has this deployment.')
  const { repository, deployment, statuses } = current
  const created: CodehostEvent = { type: 'deployment', repository, deployment }
  const events = statuses.map((status): CodehostEvent => ({
    type: 'deploymentStatus',
    repository,
    deployment,
    status,
  }))
  let last: DeliveryResult = done
  for (const event of [created, ...events]) last = await recordReport(deps, orgId, event)
  return last
}

/** Creates the handler that passes an event of a chat workspace to the notifications. */
export function createChatHandler(deps: ChatEventDeps): EventHandler<ChatEvent> {
  return (of, event) => recordChatEvent(deps, of, event)
}

/** Creates the handler that passes an event of a tracker to the deployments that name an issue, or to the integration. */
export function createTrackerHandler(
  deps: TrackerEventDeps & IssueDeps,
): EventHandler<TrackerEvent> {
  return (of, event) =>
    event.type === 'issueChanged'
      ? recordIssueChange(deps, of, event)
      : recordTrackerEvent(deps, of, event)
}
