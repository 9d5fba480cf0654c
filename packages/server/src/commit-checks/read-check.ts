import { readStateMark } from '../configs/schemas/compare-definitions.ts'
import type { Tx } from '../store/store.ts'
import {
  listCommitCheckRows,
  type CheckRow,
  type CommitOf,
} from '../read-models/commit-checks/check-rows.ts'
import { listDefinitionRows } from './check-rows.ts'
import type { CheckDeps } from './check-deps.ts'
import { checkSchema, type CheckedSchema } from './commit-check.ts'
import { openComparer } from './compare-checks.ts'

/** Says what a commit needs of each environment. */
export interface CheckOfCommit extends CommitOf {
  readonly id: string
  readonly isFork: boolean
  readonly schemas: readonly CheckedSchema[]
}

/**
 * Lists what commits need of each environment as it is now, for whoever decides by it. What was compared before the last change, or is
 * no longer compared at all, is compared again here, without what runs, and is not stored. One without any upload is left out.
 */
export async function listCurrentChecksOf(
  deps: Pick<CheckDeps, 'keys'>,
  tx: Tx,
  orgId: string,
  commits: readonly CommitOf[],
): Promise<CheckOfCommit[]> {
  if (commits.length === 0) return []
  const rows = await listCommitCheckRows(tx, orgId, commits)
  const mark = rows.length === 0 ? '' : await readStateMark(tx, orgId)
  const stale = rows.filter(({ comparedMark }) => comparedMark !== mark).map(({ id }) => id)
  if (stale.length === 0) return rows.map(toCheckOfCommit)
  const { compare } = await openComparer(deps, tx, orgId)
  const schemas = new Map(stale.map((id): [string, CheckedSchema[]] => [id, []]))
  for (const row of await listDefinitionRows(tx, orgId, stale)) {
    const checked = checkSchema(row.schemaName, row.definition, await compare(row), new Map())
    schemas.get(row.checkId)?.push(checked)
  }
  return rows.map((row) => ({
    ...toCheckOfCommit(row),
    schemas: schemas.get(row.id) ?? row.results,
  }))
}

function toCheckOfCommit({ id, repositoryId, sha, isFork, results }: CheckRow): CheckOfCommit {
  return { id, repositoryId, sha, isFork, schemas: results }
}
