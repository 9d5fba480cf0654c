import { isDeepStrictEqual } from 'node:util'
import { newId } from '../crypto/ids.ts'
import type { Author } from '../audit/audit-event.ts'
import { findDecisionView } from '../read-models/gates/decision-view-rows.ts'
import type { Tx } from '../store/store.ts'
import { insertDecision, updateDecision } from './decision-rows.ts'
import type { GateDeps } from './gate-deps.ts'
import type { DecisionRow } from './gate.ts'
import { judgeDeployment } from './judge-gate.ts'
import { readFacts } from './read-facts.ts'
import { wantsComment } from './comment.ts'

/** Sets how often a deployment that waits is judged, in milliseconds. */
export const judgeEveryMs = 3_000
const dayMs = 24 * 3_600_000
/** Ends decisions that nobody asks for. A code host asks once, and keeps a run for thirty days. */
const unaskedMs = { step: dayMs, rule: 30 * dayMs } as const

/** Describes a deployment that asks for the first time. */
export type NewDecision = Pick<
  DecisionRow,
  | 'repositoryId'
  | 'sha'
  | 'ref'
  | 'isFork'
  | 'hostEnvironment'
  | 'runId'
  | 'attempt'
  | 'runUrl'
  | 'hostDeploymentId'
  | 'via'
>

/** Returns a decision that nobody has judged yet. */
export function newDecision(of: NewDecision, now: Date): DecisionRow {
  return {
    ...of,
    id: newId('gdc', now),
    environmentId: null,
    state: 'waiting',
    reasons: [],
    waitedFor: null,
    askedAt: now,
    heardAt: now,
    decidedAt: null,
    decidedBy: null,
    comment: null,
    answerState: 'none',
    answerDetail: null,
    fence: 0,
    commentsSent: 0,
    commentedAt: null,
    commented: null,
  }
}

/** Judges decisions that wait, and returns what each is now. Nothing is stored. */
export async function judgeRows(
  { now: clock, keys }: Pick<GateDeps, 'now' | 'keys'>,
  tx: Tx,
  orgId: string,
  rows: readonly DecisionRow[],
): Promise<DecisionRow[]> {
  if (rows.length === 0) return []
  const now = clock()
  const { gates, factsOf, ended } = await readFacts({ keys }, tx, orgId, { rows, now })
  return rows.map((row) => {
    const unheardMs = now.getTime() - (row.via === 'step' ? row.heardAt : row.askedAt).getTime()
    if (ended.has(row.id) || unheardMs > unaskedMs[row.via]) {
      return { ...row, state: 'expired', decidedAt: now, fence: row.fence + 1 }
    }
    const facts = factsOf(row)
    const { state, reasons, waitsFor } = judgeDeployment(gates, facts)
    const judged = {
      ...row,
      environmentId: facts.environment?.id ?? null,
      reasons,
      waitedFor: waitsFor ?? row.waitedFor,
    }
    return state === 'waiting' ? judged : withDecision(judged, { state, now })
  })
}

/** Describes how a deployment stops to wait. */
export interface Decided {
  readonly state: 'passed' | 'refused' | 'overridden'
  readonly now: Date
  /** Left out: the rules decided. */
  readonly by?: Author
  readonly comment?: string
}

/** Returns a decision that is made. Where the code host asked, its answer is wanted from then on. */
export function withDecision(row: DecisionRow, { state, now, by, comment }: Decided): DecisionRow {
  return {
    ...row,
    state,
    decidedAt: now,
    decidedBy: by ?? null,
    comment: comment ?? null,
    answerState: row.via === 'rule' ? 'waiting' : 'none',
    fence: row.fence + 1,
  }
}

/** Adds a decision after it was judged. */
export async function addDecision(
  deps: GateDeps,
  tx: Tx,
  orgId: string,
  row: DecisionRow,
): Promise<void> {
  const judgeAt = new Date(deps.now().getTime() + judgeEveryMs)
  await insertDecision(tx, orgId, { row, judgeAt })
  await announce(deps, tx, orgId, row)
}

/** Stores what a decision is now, unless it is what it was. */
export async function storeDecision(
  deps: GateDeps,
  tx: Tx,
  orgId: string,
  { before, after }: { readonly before: DecisionRow; readonly after: DecisionRow },
): Promise<void> {
  const hasChanged = !isDeepStrictEqual(before, after)
  if (hasChanged) await updateDecision(tx, orgId, after)
  if (hasChanged || wantsComment(after, deps.now())) await announce(deps, tx, orgId, after)
}

/** Adds, in the transaction of the decision, the job that brings it to the code host, and lets the message in the chat follow. */
async function announce(deps: GateDeps, tx: Tx, orgId: string, row: DecisionRow): Promise<void> {
  const { id } = row
  if (row.answerState === 'waiting' || wantsComment(row, deps.now())) {
    await deps.jobs.enqueue(tx, 'gates.answer', { orgId, id }, { key: id })
  }
  const view = await findDecisionView(tx, orgId, id)
  if (view?.deploymentId) await deps.emit(tx, 'gate.changed', { orgId, id: view.deploymentId })
}
