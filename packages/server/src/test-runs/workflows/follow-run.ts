import type { CodehostRun } from '../../providers/codehost.ts'
import type { Tx } from '../../store/store.ts'
import { followDispatch } from './dispatch-rows.ts'

/** Returns when a run ended; `null` while it has not, and where its state is not known. */
export function endOf({ state, updatedAt }: CodehostRun): Date | null {
  return state === 'queued' || state === 'running' || state === 'unknown' ? null : updatedAt
}

/** Records how the run of a dispatch stands; returns whether there is such a dispatch, to which that is news. */
export async function followRun(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  run: CodehostRun,
): Promise<boolean> {
  const { externalId, state } = run
  if (state === 'unknown') return false
  return followDispatch(tx, orgId, { repositoryId, externalId, state, finishedAt: endOf(run) })
}
