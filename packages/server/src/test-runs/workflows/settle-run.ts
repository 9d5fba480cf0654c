import type { CodehostRun } from '../../providers/codehosts/run.ts'
import type { Tx } from '../../store/store.ts'
import { takeKeptRun } from '../runs/kept-run.ts'
import { lockRunNames } from '../runs/run-event-rows.ts'
import { findDispatch, settleDispatch } from './dispatch-rows.ts'
import type { WorkflowDispatch } from './dispatch.ts'
import { followRun } from './follow-run.ts'

/** Describes what became of a dispatch. */
export type Settled = Pick<WorkflowDispatch, 'state' | 'reason' | 'externalId' | 'url'>

/** Returns the state of a dispatch whose run became known after the answer. */
export function toFound({ externalId, url }: Pick<CodehostRun, 'externalId' | 'url'>): Settled {
  return { state: 'found', reason: null, externalId, url }
}

/**
 * Records the outcome of a dispatch, and what was reported of its run before the run was known; returns whether the dispatch was
 * open.
 */
export async function settleRun(
  tx: Tx,
  orgId: string,
  id: string,
  settled: Settled,
): Promise<boolean> {
  const dispatch = await findDispatch(tx, orgId, id)
  if (dispatch === undefined) return false
  const { repositoryId } = dispatch
  await lockRunNames(tx, orgId, repositoryId)
  if (!(await settleDispatch(tx, orgId, id, settled))) return false
  const { externalId } = settled
  if (externalId === null) return true
  const keptRun = await takeKeptRun(tx, orgId, { repositoryId, externalId })
  if (keptRun !== undefined) await followRun(tx, orgId, repositoryId, keptRun)
  return true
}
