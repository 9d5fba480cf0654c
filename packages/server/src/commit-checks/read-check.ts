import type { Tx } from '../store/store.ts'
import {
  findCommitCheckRow,
  listCommitCheckRows,
  type CheckRow,
  type CommitOf,
} from './check-rows.ts'
import type { CheckedSchema } from './commit-check.ts'

/** Says what a commit needs of each environment. */
export interface CheckOfCommit extends CommitOf {
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
  return row && toCheckOfCommit(row)
}

/** Lists what was last found of the definitions of commits. One without any is left out. */
export async function listChecksOf(
  tx: Tx,
  orgId: string,
  commits: readonly CommitOf[],
): Promise<CheckOfCommit[]> {
  if (commits.length === 0) return []
  return (await listCommitCheckRows(tx, orgId, commits)).map(toCheckOfCommit)
}

function toCheckOfCommit({ id, repositoryId, sha, isFork, results }: CheckRow): CheckOfCommit {
  return { id, repositoryId, sha, isFork, schemas: results }
}
