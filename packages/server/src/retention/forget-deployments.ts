import {
  deleteDeployments,
  findNextOrganization,
  firstPosition,
  lockOldDeployments,
  pageOldDeployments,
  type OldPosition,
} from '../deployments/retention/old-deployment-rows.ts'
import {
  deleteNotificationsOfDeployments,
  listDeploymentsInMessages,
} from '../notifications/retention.ts'
import type { Store, Tx } from '../store/store.ts'
import {
  deleteResultsOfRuns,
  listDeploymentsInTests,
  listRunsOfDeployments,
} from '../test-runs/retention/old-run-rows.ts'

/** Limits one transaction, so that each takes a fraction of a second: whoever reports on what it deletes waits for it. */
export interface BatchLimits {
  readonly deployments: number
  readonly results: number
}

/** Describes what is deleted, and when it ends. */
export interface Forgetting {
  readonly store: Pick<Store, 'maintenance'>
  /** Deletes only what has been over since before this moment. */
  readonly before: Date
  readonly batch: BatchLimits
  /** Returns whether the time of this job is over. The rest is another job's. */
  readonly isOver: () => boolean
}

/**
 * Deletes the deployments of every organization that have been over since before a moment, with everything that belongs to them.
 * Kept are those that people need (`pageOldDeployments`), and those that a test run or a message waits for. Safe to repeat and to
 * interrupt.
 *
 * @returns whether everything was looked at.
 */
export async function forgetDeployments(of: Forgetting): Promise<boolean> {
  let orgId = await nextOrganization(of, '')
  while (orgId !== undefined) {
    if (!(await forgetOfOrganization(of, orgId))) return false
    orgId = await nextOrganization(of, orgId)
  }
  return true
}

function nextOrganization({ store }: Forgetting, after: string): Promise<string | undefined> {
  return store.maintenance((tx) => findNextOrganization(tx, after))
}

async function forgetOfOrganization(of: Forgetting, orgId: string): Promise<boolean> {
  let position: OldPosition | undefined = firstPosition
  while (position !== undefined) {
    if (of.isOver()) return false
    const after: OldPosition = position
    position = await of.store.maintenance((tx) => forgetPage(tx, orgId, { ...of, after }))
  }
  return true
}

/** Deletes what may be deleted of the deployments after a position, and returns the next position; `undefined`: there is none. */
async function forgetPage(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  { before, batch, after }: Pick<Forgetting, 'before' | 'batch'> & { readonly after: OldPosition },
): Promise<OldPosition | undefined> {
  const page = await pageOldDeployments(tx, orgId, { before, after, limit: batch.deployments })
  const last = page.at(-1)
  const next = page.length < batch.deployments || last === undefined ? undefined : last
  const candidates = page.filter(({ isDeletable }) => isDeletable).map(({ id }) => id)
  const ids = await lockUnneeded(tx, orgId, { before, candidates })
  if (ids.length === 0) return next
  const { results } = batch
  const runs = await listRunsOfDeployments(tx, orgId, ids)
  const deleted = await deleteResultsOfRuns(tx, orgId, { ids: runs, limit: results })
  // There may be more: the same page comes again.
  if (deleted === results) return after
  await deleteNotificationsOfDeployments(tx, orgId, ids)
  await deleteDeployments(tx, orgId, ids)
  return next
}

/** Locks deployments, and returns those that nothing waits for. One that is kept may be why another one is. */
async function lockUnneeded(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  { before, candidates }: { readonly before: Date; readonly candidates: readonly string[] },
): Promise<readonly string[]> {
  if (candidates.length === 0) return []
  let ids = await lockOldDeployments(tx, orgId, { before, ids: candidates })
  let needed: ReadonlySet<string>
  do {
    needed = new Set([
      ...(await listDeploymentsInTests(tx, orgId, ids)),
      ...(await listDeploymentsInMessages(tx, orgId, ids)),
    ])
    ids = ids.filter((id) => !needed.has(id))
  } while (needed.size > 0 && ids.length > 0)
  return ids
}
