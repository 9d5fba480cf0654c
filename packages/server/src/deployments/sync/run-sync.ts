import { Problem } from '@signalbox/contract'
import { toProblem } from '../../integrations/grants/ask-provider.ts'
import type { Integration } from '../../integrations/integration.ts'
import { findIntegrationRow } from '../../integrations/rows.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { displayNameOf } from '../../providers/find-provider.ts'
import type { Tx } from '../../store/store.ts'
import { runSyncQueue } from './start-sync.ts'
import type { Sync } from './sync.ts'
import { BudgetSpent, leaveHalf } from './sync-budget.ts'
import { syncDeployments } from './sync-deployments.ts'
import { syncEnvironments } from './sync-environments.ts'
import { syncIssues } from './sync-issues.ts'
import { syncRepositories } from './sync-repositories.ts'
import { syncWebhooks } from './sync-webhooks.ts'
import { findSync, saveSync } from './sync-rows.ts'
import {
  keepSync,
  StepBusy,
  SyncTaken,
  type RunSyncDeps,
  type SyncDeps,
  type SyncSlice,
  type SyncWork,
} from './sync-work.ts'

/** Names a sync, and the attempt at it. */
export interface RunSync {
  readonly orgId: string
  readonly id: string
  readonly signal: AbortSignal
  /** It is not tried again after this. */
  readonly isLastTry: boolean
}

/** Limits the work of one job. A sync is many jobs, so that none is taken for lost and each has all its tries. */
const sliceMs = 60_000

/**
 * Continues a sync for a minute, or until the host asks for a pause, which the next job keeps.
 *
 * @throws when the queue is to try again. After the last try the sync is `failed` and says what to do.
 */
export async function runSync(deps: RunSyncDeps, run: RunSync): Promise<void> {
  try {
    await workOn(deps, run)
  } catch (error) {
    await settle(deps, run, error)
  }
}

async function workOn(deps: RunSyncDeps, { orgId, id, signal }: RunSync): Promise<void> {
  const { store, now } = deps
  const [stored, codehost] = await store.transaction({ orgId }, async (tx) => [
    await findSync(tx, orgId, id),
    await findIntegrationRow(tx, { orgId, kind: 'codehost' }),
  ])
  if (stored === undefined || stored.finishedAt !== null) return
  const until = now().getTime() + sliceMs
  const slice: SyncSlice = {
    deps,
    orgId,
    isOver: () => signal.aborted || now().getTime() >= until,
  }
  const advance = await openSteps(slice, stored, codehost)
  let sync: Sync = { ...stored, state: 'running', detail: null }
  while (sync.state === 'running' && !slice.isOver()) sync = await advance(sync)
  if (sync.state !== 'running') return
  await store.transaction({ orgId }, async (tx) => {
    await keepSync(tx, orgId, sync)
    await deps.jobs.enqueue(tx, runSyncQueue, { orgId, id }, { key: id })
  })
}

/** Returns what does the next part of a sync. @throws {Problem} `integration_not_connected`, `reauth_required` */
async function openSteps(
  slice: SyncSlice,
  { depth, startedAt, revision }: Sync,
  integration: Pick<Integration, 'id' | 'connectedAt'> | undefined,
): Promise<(sync: Sync) => Promise<Sync>> {
  if (depth === 'issues') return (sync) => syncIssues(slice, sync)
  const { deps, orgId } = slice
  const codehost = await deps.openCodehost(orgId)
  const work: SyncWork = {
    ...slice,
    integrationId: integration?.id ?? '',
    api: { ...leaveHalf(codehost, deps.now), ...(codehost.hooks && { hooks: codehost.hooks }) },
    connectedAt: integration?.connectedAt ?? startedAt,
    readRevision: revision,
  }
  return (sync) => advance(work, sync)
}

function advance(work: SyncWork, sync: Sync): Promise<Sync> {
  switch (sync.cursor.step) {
    case 'repositories':
      return syncRepositories(work, sync)
    case 'webhooks':
      return syncWebhooks(work, sync)
    case 'environments':
      return syncEnvironments(work, sync)
    case 'deployments':
      return syncDeployments(work, sync)
    case 'issues':
      return syncIssues(work, sync)
  }
}

/** Records the state of a sync after an error. @throws the error, when the queue has to try again. */
async function settle(deps: SyncDeps, run: RunSync, error: unknown): Promise<void> {
  if (error instanceof SyncTaken) return
  const pause = pauseOf(error, deps.now())
  if (pause !== undefined) return waitUntil(deps, run, pause)
  const isHopeless =
    error instanceof Problem || (error instanceof ProviderError && error.failure === 'unauthorized')
  if (!isHopeless && !run.isLastTry) throw error
  const finishedAt = deps.now()
  const detail = explain(error, finishedAt)
  await deps.store.transaction({ orgId: run.orgId }, (tx) =>
    change(tx, run, { state: 'failed', detail, finishedAt }),
  )
  // An error that is not the provider's is a bug of ours, and must be logged.
  if (!(error instanceof Problem || error instanceof ProviderError)) throw error
}

interface Pause {
  readonly until: Date
  /** Says to people for what it waits. `undefined`: nothing is written, which would stop another job of the sync. */
  readonly detail: string | undefined
}

const busyMs = 2_000

function pauseOf(error: unknown, now: Date): Pause | undefined {
  if (error instanceof StepBusy) {
    const until = new Date(now.getTime() + busyMs)
    const detail = 'Waiting for another sync, which creates the webhooks.'
    return { until, detail: error.mayBeOwn ? undefined : detail }
  }
  if (error instanceof BudgetSpent) {
    const until = error.resetsAt
    const detail = `Waiting until ${toSecond(until)}: the sync leaves half of the rate limit to other work.`
    return { until, detail }
  }
  if (!(error instanceof ProviderError) || error.retryAt === undefined) return undefined
  const { provider, failure, retryAt: until } = error
  const reason = failure === 'rateLimited' ? 'asks for a pause' : 'is not responding'
  return {
    until,
    detail: `Waiting until ${toSecond(until)}: ${displayNameOf(provider)} ${reason}.`,
  }
}

/** As people read it: `2026-11-07 10:00:00 UTC`. */
function toSecond(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

async function waitUntil(deps: SyncDeps, run: RunSync, { until, detail }: Pause): Promise<void> {
  const { orgId, id } = run
  await deps.store.transaction({ orgId }, async (tx) => {
    await deps.jobs.enqueue(tx, runSyncQueue, { orgId, id }, { key: id, startAfter: until })
    if (detail !== undefined) await change(tx, run, { state: 'running', detail })
  })
}

/** Stores the outcome of a slice, unless another job has continued the sync. */
async function change(
  tx: Tx,
  { orgId, id }: RunSync,
  to: Partial<Pick<Sync, 'state' | 'detail' | 'finishedAt'>>,
): Promise<void> {
  const sync = await findSync(tx, orgId, id)
  if (sync !== undefined) await saveSync(tx, orgId, { ...sync, ...to })
}

/** Returns the sentence that people are shown: only text that was written for them. */
function explain(error: unknown, now: Date): string {
  if (error instanceof Problem) return error.message
  if (error instanceof ProviderError)
    return `${toProblem(error, now).message} Then start the sync again.`
  return 'Signalbox hit an unexpected error. The cause is in the server’s log. Start it again.'
}
