import type { Tx } from '../store/store.ts'
import { findCommitCheckRow, type CommitOf } from './check-rows.ts'
import type { CheckedSchema } from './commit-check.ts'

/** Says what a commit needs of each environment. */
export interface CheckOfCommit {
  readonly id: string
  readonly isFork: boolean
  readonly schemas: readonly CheckedSchema[]
}

/** Finds what was last found of the definitions of a commit; `undefined` where none was uploaded. */
export async function findCheckOf(
  tx: Tx,
  orgId: string,
  commit: CommitOf,
): Promise<CheckOfCommit | undefined> {
  const row = await findCommitCheckRow(tx, orgId, commit)
  return row && { id: row.id, isFork: row.isFork, schemas: row.results }
}
