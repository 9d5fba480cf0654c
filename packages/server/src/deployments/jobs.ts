import { z } from 'zod'
import { instanceOfAccount } from '../providers/codehosts/instance-ids.ts'
import { isUsable } from '../integrations/integration.ts'
import { findIntegrationRow } from '../integrations/rows.ts'
import { jobSubject } from '../jobs/job-subject.ts'
import type { EventSubject } from '../jobs/emit.ts'
import { lowPriority, type Job, type Jobs } from '../jobs/jobs.ts'
import type { QueueDefinition } from '../jobs/queue.ts'
import { enrichDeployment, enrichQueue, type EnrichDeps } from './commits/enrich-job.ts'
import { listRecentDeployments } from './commits/enrich-rows.ts'
import {
  refreshEnvironments,
  refreshEnvironmentsQueue,
} from './environments/refresh-environments.ts'
import { reconcileIssues } from './issues/reconcile-issues.ts'
import { rereadKeys } from './issues/reread-keys.ts'
import { isPolled, pollDeployments } from './sync/poll-deployments.ts'
import {
  enqueueDueHooks,
  hooksQueue,
  refreshHooks,
  requestHooks,
  type HooksDeps,
} from './sync/hooks-queue.ts'
import { runSync } from './sync/run-sync.ts'
import { beginSync, runSyncQueue } from './sync/start-sync.ts'
import { markFormerRepositories } from './sync/synced-rows.ts'
import { pageUsableIntegrations } from '../integrations/settings-rows.ts'

/** Describes the dependencies of the jobs of deployments. */
export interface DeploymentWorkDeps extends HooksDeps, Pick<EnrichDeps, 'openTracker'> {}

/** Names the queue that reads the issue keys of an organization's recent deployments again. The job's id is its tracker's. */
export const rereadQueue = 'deployments.reread'

const beginQueue = 'deployments.sync'
const reconcileQueue = 'deployments.reconcile'
const reconcileIssuesQueue = 'deployments.reconcileIssues'
const reconcileTrackerQueue = 'deployments.reconcileTracker'
const rereadKeysQueue = 'deployments.rereadKeys'
const pollQueue = 'deployments.poll'
const pollOneQueue = 'deployments.pollOne'
const dueHooksQueue = 'deployments.dueHooks'
const syncRetries = 5

export const deploymentQueues: readonly QueueDefinition[] = [
  { name: enrichQueue, order: 'latest' },
  // After a code host was connected, and every few hours.
  { name: beginQueue, order: 'latest', retryDelaySeconds: 5 },
  { name: runSyncQueue, order: 'latest', retries: syncRetries, retryDelaySeconds: 30 },
  { name: reconcileQueue, retries: 0 },
  { name: reconcileIssuesQueue, retries: 0 },
  { name: reconcileTrackerQueue, order: 'latest', retryDelaySeconds: 30 },
  { name: pollQueue, retries: 0 },
  { name: pollOneQueue, order: 'latest', retries: 0 },
  { name: dueHooksQueue, retries: 0 },
  // After others are tracked, and when it is time to look again.
  { name: hooksQueue, order: 'latest', retryDelaySeconds: 30 },
  // After a tracker was connected, or other projects count.
  { name: rereadQueue, order: 'latest', retryDelaySeconds: 5 },
  { name: rereadKeysQueue, order: 'latest', retryDelaySeconds: 5 },
  { name: refreshEnvironmentsQueue, order: 'latest', retryDelaySeconds: 5 },
]

const beginning = jobSubject.extend({ depth: z.enum(['full', 'newest']).default('full') })
const parse = (job: Job): EventSubject => jobSubject.parse(job.data)

/** Starts the workers that do the jobs of deployments. */
export async function workDeployments(
  jobs: Pick<Jobs, 'work'>,
  deps: DeploymentWorkDeps,
): Promise<void> {
  await jobs.work(enrichQueue, (job) => enrichDeployment(deps, parse(job)), { concurrency: 2 })
  await jobs.work(beginQueue, (job) => begin(deps, beginning.parse(job.data)), lowPriority)
  const run = (job: Job) => {
    const isLastTry = job.attempt > syncRetries
    return runSync(deps, { ...parse(job), signal: job.signal, isLastTry })
  }
  await jobs.work(runSyncQueue, run, { ...lowPriority, concurrency: 2 })
  await jobs.work(reconcileQueue, () => reconcile(deps), lowPriority)
  await jobs.work(reconcileIssuesQueue, () => enqueueTrackers(deps), lowPriority)
  await jobs.work(reconcileTrackerQueue, (job) => reconcileIssues(deps, parse(job)), lowPriority)
  await jobs.work(pollQueue, () => enqueuePolls(deps), lowPriority)
  await jobs.work(pollOneQueue, (job) => pollDeployments(deps, parse(job), job.signal), lowPriority)
  await jobs.work(dueHooksQueue, () => enqueueDueHooks(deps), lowPriority)
  await jobs.work(hooksQueue, (job) => refreshHooks(deps, parse(job)), lowPriority)
  await jobs.work(rereadQueue, (job) => reread(deps, parse(job)), lowPriority)
  await jobs.work(rereadKeysQueue, (job) => rereadKeys(deps, parse(job)), lowPriority)
  await jobs.work(
    refreshEnvironmentsQueue,
    (job) => refreshEnvironments(deps, parse(job)),
    lowPriority,
  )
}

/** Begins a sync of the code host with the id, unless it was disconnected or replaced in the meantime. */
async function begin(
  deps: DeploymentWorkDeps,
  { orgId, id, depth }: z.output<typeof beginning>,
): Promise<void> {
  await deps.store.transaction({ orgId }, async (tx) => {
    const integration = await findIntegrationRow(tx, { orgId, kind: 'codehost' })
    if (integration?.id !== id || !isUsable(integration)) return
    const { account, connectedAt } = integration
    // The sync itself marks them at its end only, when it knows all that this host has.
    if (account !== null && connectedAt !== null) {
      const instance = instanceOfAccount(account.id)
      await markFormerRepositories(tx, orgId, { instance, connectedAt, now: deps.now() })
    }
    await beginSync(deps, tx, orgId, depth)
  })
}

/** Adds a job for each recent deployment that reads its issue keys again, unless the tracker was replaced in the meantime. */
async function reread(deps: DeploymentWorkDeps, { orgId, id }: EventSubject): Promise<void> {
  await deps.store.transaction({ orgId }, async (tx) => {
    const integration = await findIntegrationRow(tx, { orgId, kind: 'tracker' })
    if (integration?.id !== id || !isUsable(integration)) return
    const recent = await listRecentDeployments(tx, orgId, deps.now())
    await deps.jobs.enqueueAll(tx, rereadKeysQueue, toJobs(orgId, recent))
    // A tracker that shares the code host's connection learns of changes by its webhooks.
    if (integration.isShared) await requestHooks(deps.jobs, tx, orgId)
  })
}

function toJobs(orgId: string, ids: readonly string[]) {
  return ids.map((id) => ({ data: { orgId, id }, key: id }))
}

const pageSize = 500

/** Adds a job for every connected code host that is asked for its deployments. */
async function enqueuePolls({ store, jobs }: DeploymentWorkDeps): Promise<void> {
  let after: string | undefined = ''
  while (after !== undefined) {
    const last: string = after
    after = await store.maintenance(async (tx) => {
      const page = { after: last, limit: pageSize }
      const codehosts = await pageUsableIntegrations(tx, 'codehost', page)
      const polls = codehosts
        .filter(({ provider }) => isPolled(provider))
        .map(({ orgId, integrationId: id }) => ({ data: { orgId, id }, key: id }))
      await jobs.enqueueAll(tx, pollOneQueue, polls)
      return codehosts.length < pageSize ? undefined : codehosts.at(-1)?.orgId
    })
  }
}

/** Adds a job for every connected tracker that reads its issues again. */
async function enqueueTrackers({ store, jobs }: DeploymentWorkDeps): Promise<void> {
  let after: string | undefined = ''
  while (after !== undefined) {
    const last: string = after
    after = await store.maintenance(async (tx) => {
      const trackers = await pageUsableIntegrations(tx, 'tracker', { after: last, limit: pageSize })
      const reads = trackers.map(({ orgId, integrationId: id }) => ({
        data: { orgId, id },
        key: id,
      }))
      await jobs.enqueueAll(tx, reconcileTrackerQueue, reads)
      return trackers.length < pageSize ? undefined : trackers.at(-1)?.orgId
    })
  }
}

/** Adds two jobs for every connected code host: a sync of its newest page, and a refresh of the environments' mapping. */
async function reconcile({ store, jobs }: DeploymentWorkDeps): Promise<void> {
  let after: string | undefined = ''
  while (after !== undefined) {
    const last: string = after
    after = await store.maintenance(async (tx) => {
      const page = { after: last, limit: pageSize }
      const codehosts = await pageUsableIntegrations(tx, 'codehost', page)
      const syncs = codehosts.map(({ orgId, integrationId: id }) => ({
        data: { orgId, id, depth: 'newest' },
        key: `${id}:newest`,
      }))
      await jobs.enqueueAll(tx, beginQueue, syncs)
      const mappings = codehosts.map(({ orgId }) => ({ data: { orgId, id: orgId }, key: orgId }))
      await jobs.enqueueAll(tx, refreshEnvironmentsQueue, mappings)
      return codehosts.length < pageSize ? undefined : codehosts.at(-1)?.orgId
    })
  }
}
