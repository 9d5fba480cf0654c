import type { Gate } from '@signalbox/contract/rest'
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
