import { setImmediate as turn } from 'node:timers/promises'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import { mayReveal, reaches, requireReach, type Caller } from '../../config-model/caller.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { listEnvironmentRows, type EnvironmentRow } from '../environments/environment-rows.ts'
import { findState } from './current-rows.ts'
import {
  resolveValues,
  type ConfigState,
  type ResolvedValues,
} from '../../config-model/resolve-values.ts'
import { findSchemaRow } from '../schemas/schema-rows.ts'
import type { SecretDigests } from './secret-digests.ts'
import { toSchemaState } from '../publication/structure.ts'

/** Describes which part of a schema's matrix is read. */
interface GetMatrix {
  readonly schemaId: string
  /** The columns; `undefined`: every environment that the caller reaches, without previews. */
  readonly environmentIds: readonly string[] | undefined
}

/** Holds one environment of a matrix, with the value of each key in it. */
export interface MatrixColumn {
  readonly environment: EnvironmentRow
  readonly resolved: ResolvedValues
  /** The digests by which its secrets are compared with those of other columns, for a caller who may. Never shown. */
  readonly digests: ReadonlyMap<string, string> | undefined
}

/** Holds the keys of a schema in several environments, as they are at one moment. */
export interface Matrix {
  readonly state: ConfigState
  readonly columns: readonly MatrixColumn[]
}

/**
 * Returns every key of a schema in every environment, as they are at one moment and read with one query for all of
 * them. Secrets are opened only to be compared, and only for a caller who may read them anyway.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `sealed`
 */
export async function getMatrix(
  {
    store,
    schemas,
    keys,
    digests,
  }: ConfigDeps & {
    readonly digests: SecretDigests
  },
  caller: Caller,
  { schemaId, environmentIds }: GetMatrix,
): Promise<Matrix> {
  const { orgId, readsSecrets } = caller
  const opens = (environmentId?: string) =>
    readsSecrets || mayReveal(caller, { schemaId, ...(environmentId && { environmentId }) })
  requireReach(caller, 'readValues', { schemaId })
  for (const environmentId of environmentIds ?? [])
    requireReach(caller, 'readValues', { environmentId })
  const { environments, state, sealer } = await store.transaction(caller.scope, async (tx) => {
    // All statements read the same moment, although they run one after the other.
    await tx.query({
      name: 'read-one-moment',
      text: 'set transaction isolation level repeatable read, read only',
      values: [],
    })
    const rows = await listColumns(tx, caller, environmentIds)
    const ids = rows.map(({ id }) => id)
    const [current, opening] = await Promise.all([
      ids.length === 0
        ? findSchemaAlone(tx, orgId, schemaId)
        : findState(tx, schemas, { orgId, schemaId, environmentIds: ids }),
      opens() ? keys.getSealer(tx, orgId) : undefined,
    ])
    return { environments: rows, state: current, sealer: opening }
  })
  if (state === undefined) throw notFound()
  const columns: MatrixColumn[] = []
  for (const environment of environments) {
    const resolved = resolveValues(state, environment.id)
    const compared =
      sealer && opens(environment.id)
        ? await digests.digest({ sealer, orgId, schemaId }, resolved)
        : undefined
    columns.push({ environment, resolved, digests: compared })
    await turn()
  }
  return { state, columns }
}

async function listColumns(
  tx: Tx,
  { orgId, environmentIds: allowed }: Caller,
  requestedIds: readonly string[] | undefined,
): Promise<EnvironmentRow[]> {
  const all = await listEnvironmentRows(tx, orgId)
  if (requestedIds === undefined)
    return all.filter(({ id, source }) => source === null && reaches(allowed, id))
  const rows = all.filter(({ id }) => requestedIds.includes(id))
  if (rows.length < new Set(requestedIds).size) throw notFound()
  return rows
}

async function findSchemaAlone(
  tx: Tx,
  orgId: string,
  schemaId: string,
): Promise<ConfigState | undefined> {
  const row = await findSchemaRow(tx, orgId, schemaId)
  return row && { schema: toSchemaState(row), tree: new Map(), currentValues: new Map() }
}
