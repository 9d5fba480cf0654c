import type { CodehostRun } from '../../providers/codehosts/run.ts'
import type { Tx } from '../../store/store.ts'
import { followDispatch } from './dispatch-rows.ts'

/** Returns when a run ended; `null` while it has not, and where its state is not known. */
export function endOf({ state, updatedAt }: CodehostRun): Date | null {
  return state === 'queued' || state === 'running' || state === 'unknown' ? null : updatedAt
}

/** Records how the run of a dispatch stands; returns the id of the dispatch, if there is one to which that is news. */
export async function followRun(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  run: CodehostRun,
): Promise<string | undefined> {
  const { externalId, state, attempt, startedAt } = run
  if (state === 'unknown') return undefined
  const againAt = attempt > 1 ? startedAt : null
  const finishedAt = endOf(run)
  return followDispatch(tx, orgId, { repositoryId, externalId, state, finishedAt, againAt })
}
