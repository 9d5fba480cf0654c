import { canonicalJson, Problem } from '@signalbox/contract'
import type { StoredDefinition } from '../config-model/definition.ts'
import {
  openDefinitionComparer,
  type ComparedSchema,
} from '../configs/schemas/compare-definitions.ts'
import type { Tx } from '../store/store.ts'
import { reportQueue, type CheckDeps } from './check-deps.ts'
import { listLiveRows, type LiveRow } from '../read-models/commit-checks/check-rows.ts'
import {
  listDefinitionRows,
  lockOpenChecks,
  noteChecked,
  saveResults,
  type DefinitionRow,
  type OpenCheck,
} from './check-rows.ts'
import { checkSchema, concludeCheck, type LiveDefinitions } from './commit-check.ts'

/**
 * Compares checks with the values of now: all open ones, or the one of an id. Those that say something else than before are stored,
 * and their statuses are written by jobs of the same transaction. Reads everything once, however many checks there are.
 *
 * @throws {Problem} `validation_failed` where the one of an id is too much work
 */
export async function compareChecks(
  deps: Pick<CheckDeps, 'keys' | 'jobs' | 'now'>,
  tx: Tx,
  orgId: string,
  id: string | null = null,
): Promise<void> {
  const checks = await lockOpenChecks(tx, orgId, id)
  if (checks.length === 0) return
  const ids = checks.map((check) => check.id)
  const definitions = await listDefinitionRows(tx, orgId, ids)
  const byCheck = Map.groupBy(definitions, ({ checkId }) => checkId)
  const live = await listLiveRows(tx, orgId)
  const { mark, compare } = await openComparer(deps, tx, orgId)
  const changed: { id: string; conclusion: ReturnType<typeof concludeCheck>; results: Results }[] =
    []
  const compared: string[] = []
  for (const check of checks) {
    const results = await checkCommit(check, byCheck.get(check.id) ?? [], live, {
      compare,
      mayFail: id === null,
    })
    if (results === undefined) continue
    compared.push(check.id)
    if (canonicalJson(results) === canonicalJson(check.results)) continue
    changed.push({ id: check.id, conclusion: concludeCheck(results), results })
  }
  await saveResults(tx, orgId, changed)
  await noteChecked(tx, orgId, { ids: compared, at: deps.now(), mark })
  await requestReports(
    deps,
    tx,
    orgId,
    changed.map((each) => each.id),
  )
}

type Results = OpenCheck['results']

/** Requests that the statuses of checks are written. */
export async function requestReports(
  { jobs }: Pick<CheckDeps, 'jobs'>,
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await jobs.enqueueAll(
    tx,
    reportQueue,
    ids.map((id) => ({ data: { orgId, id }, key: id })),
  )
}

type Compare = (row: DefinitionRow) => Promise<ComparedSchema>

/** Reads what definitions are compared with, and compares each once, however many commits declare it. */
export async function openComparer(
  deps: Pick<CheckDeps, 'keys'>,
  tx: Tx,
  orgId: string,
): Promise<{ readonly mark: string; readonly compare: Compare }> {
  const comparer = await openDefinitionComparer(deps, tx, orgId)
  const known = new Map<string, Promise<ComparedSchema>>()
  return {
    mark: comparer.mark,
    compare({ schemaName, hash, definition }) {
      const key = `${schemaName.toLowerCase()} ${hash}`
      const compared = known.get(key) ?? comparer.compare(schemaName, definition)
      known.set(key, compared)
      return compared
    },
  }
}

async function checkCommit(
  { repositoryId, sha }: OpenCheck,
  definitions: readonly DefinitionRow[],
  live: readonly LiveRow[],
  { compare, mayFail }: { readonly compare: Compare; readonly mayFail: boolean },
): Promise<Results | undefined> {
  // A commit does not break itself, where it runs already.
  const others = live.filter((row) => row.repositoryId === repositoryId && row.sha !== sha)
  const running = toLive(others)
  const results: Results[number][] = []
  try {
    for (const row of definitions) {
      const { schemaName, definition } = row
      results.push(checkSchema(schemaName, definition, await compare(row), running))
    }
  } catch (error) {
    // Its constraints are too much work for the values of now. What it said before stays, and the others are compared.
    if (mayFail && error instanceof Problem) return undefined
    throw error
  }
  return results
}

/** Joins what runs in each environment: several commits of a repository may, each in a part of it. */
function toLive(rows: readonly LiveRow[]): LiveDefinitions {
  const byEnvironment = Map.groupBy(rows, ({ environmentId }) => environmentId)
  return new Map(
    [...byEnvironment].map(([environmentId, of]) => {
      const bySchema = Map.groupBy(of, ({ schemaName }) => schemaName.toLowerCase())
      const definitions = [...bySchema].map(([name, same]): [string, StoredDefinition] => [
        name,
        Object.assign({}, ...same.map(({ definition }) => definition)),
      ])
      return [environmentId, new Map(definitions)]
    }),
  )
}
