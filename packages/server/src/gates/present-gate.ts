import type { Gate, GateDecision } from '@signalbox/contract/rest'
import type { DecisionViewRow } from '../read-models/gates/decision-view-rows.ts'
import type { FreezeRow } from './gate-rows.ts'
import type { GateRow } from './gate.ts'

/** Returns a gate as the API shows it. */
export function presentGate(row: GateRow): Gate {
  return {
    ...row,
    environmentIds: [...row.environmentIds],
    repositories: [...row.repositories],
    rules: [...row.rules],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Returns the freeze of an environment as the API shows it. */
export function presentFreeze({ until, frozenAt, frozenBy, ...row }: FreezeRow) {
  const { type, id, name } = frozenBy
  return {
    ...row,
    until: until.toISOString(),
    frozenBy: { type, id, name },
    frozenAt: frozenAt.toISOString(),
  }
}

const nobody = { approve: false, override: false, refuse: false } as const

/** Returns a decision as the API shows it. `may`: what the reader may do, nothing where it is left out. */
export function presentDecision(
  row: DecisionViewRow,
  may: GateDecision['may'] = nobody,
): GateDecision {
  const { runId, attempt, runUrl, answerState, answerDetail, decidedBy, ...shown } = row
  return {
    ...shown,
    run: { id: runId, attempt, url: runUrl },
    approvals: row.approvals.map(({ userId, name, at, comment }) => ({
      member: { type: 'user', id: userId, name },
      at: new Date(at).toISOString(),
      comment,
    })),
    askedAt: row.askedAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy: decidedBy && { type: decidedBy.type, id: decidedBy.id, name: decidedBy.name },
    answer: { state: answerState, detail: answerDetail },
    may,
  }
}
