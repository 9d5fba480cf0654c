import type { Tx } from '../store/store.ts'
import { storeDecision } from './decide.ts'
import type { GateDeps } from './gate-deps.ts'
import type { DecisionRow } from './gate.ts'

/** Ends the earlier attempts of a run that was started again: an answer to them would be taken as one to the new attempt. */
export async function endEarlierAttempts(
  deps: GateDeps,
  tx: Tx,
  orgId: string,
  earlier: readonly DecisionRow[],
): Promise<void> {
  const now = deps.now()
  for (const before of earlier) {
    const { state, answerState, fence } = before
    if (state !== 'waiting' && answerState !== 'waiting') continue
    const ended = { ...before, fence: fence + 1, answerDetail: 'The run was started again.' }
    const after: DecisionRow =
      state === 'waiting'
        ? { ...ended, state: 'expired', decidedAt: now }
        : { ...ended, answerState: 'given_up' }
    await storeDecision(deps, tx, orgId, { before, after })
  }
}
