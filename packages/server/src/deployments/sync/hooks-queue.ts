import { isUsable } from '../../integrations/integration.ts'
import { findIntegrationRow } from '../../integrations/rows.ts'
import { installHooks, type InstallHooksDeps } from '../../integrations/webhooks/install-hooks.ts'
import { takeDueWebhooks } from '../../integrations/webhooks/webhook-rows.ts'
import type { EventSubject } from '../../jobs/emit.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Tx } from '../../store/store.ts'
import { listTrackedRepositories } from '../codehost/tracked-repository-rows.ts'
import type { SyncDeps } from './sync-work.ts'

/** Names the queue that gives tracked repositories their webhooks. The job's id is the code host's. */
export const hooksQueue = 'deployments.hooks'

/** Describes what the look at webhooks needs. */
export interface HooksDeps extends SyncDeps, InstallHooksDeps {
  readonly store: SyncDeps['store']
  readonly jobs: SyncDeps['jobs'] & InstallHooksDeps['jobs']
}

/** Requests a look at the webhooks of an organization's repositories. */
export async function requestHooks(
  jobs: Pick<Jobs, 'enqueue'>,
  tx: Tx,
  orgId: string,
): Promise<void> {
  const integration = await findIntegrationRow(tx, { orgId, kind: 'codehost' })
  if (integration === undefined) return
  const { id } = integration
  await jobs.enqueue(tx, hooksQueue, { orgId, id }, { key: id })
}

const againMs = 5_000

/**
 * Gives the repositories that are tracked now their webhooks, at a host that has them per repository. While another worker is at it,
 * which may have read an older list of repositories, it is tried again in a moment.
 *
 * @throws {ProviderError}
 */
export async function refreshHooks(deps: HooksDeps, { orgId, id }: EventSubject): Promise<void> {
  const repositoryIds = await deps.store.transaction({ orgId }, async (tx) => {
    const integration = await findIntegrationRow(tx, { orgId, kind: 'codehost' })
    if (integration?.id !== id || !isUsable(integration)) return undefined
    return (await listTrackedRepositories(tx, orgId)).map(({ externalId }) => externalId)
  })
  if (repositoryIds === undefined) return
  const api = await deps.openCodehost(orgId)
  const { outcome } = await installHooks(deps, { orgId, integrationId: id, api, repositoryIds })
  if (outcome !== 'busy') return
  const startAfter = new Date(deps.now().getTime() + againMs)
  await deps.store.transaction({ orgId }, (tx) =>
    deps.jobs.enqueue(tx, hooksQueue, { orgId, id }, { key: id, startAfter }),
  )
}

const pageSize = 500
const takenMs = 3_600_000

/** Adds a job for every connection whose webhooks are due for a check: hourly if they are fine, sooner otherwise. */
export async function enqueueDueHooks({ store, jobs, now }: HooksDeps): Promise<void> {
  for (let count = pageSize; count === pageSize;) {
    count = await store.maintenance(async (tx) => {
      const at = now()
      const nextCheckAt = new Date(at.getTime() + takenMs)
      const due = await takeDueWebhooks(tx, { now: at, nextCheckAt, limit: pageSize })
      const checks = due.map(({ orgId, integrationId: id }) => ({ data: { orgId, id }, key: id }))
      await jobs.enqueueAll(tx, hooksQueue, checks)
      return due.length
    })
  }
}
