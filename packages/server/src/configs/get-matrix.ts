import { notFound } from '../http/problem-response.ts'
import type { Tx } from '../store/store.ts'
import { reaches, requireReach, type Caller } from './caller.ts'
import type { ConfigDeps } from './config-deps.ts'
import { listEnvironmentRows, type EnvironmentRow } from './environment-rows.ts'
import { findState } from './head-rows.ts'
import { createSecretOpener } from './open-secrets.ts'
import { resolveValues, type ConfigState, type ResolvedValues } from './resolve-values.ts'
import { findSchemaRow } from './schema-rows.ts'
import { toSchemaState } from './structure.ts'

export interface GetMatrix {
  readonly schemaId: string
  /** The columns; `undefined`: every environment that the caller reaches. */
  readonly environmentIds: readonly string[] | undefined
}

/** What a key is in the environments of a matrix. */
export interface MatrixColumn {
  readonly environment: EnvironmentRow
  readonly resolved: ResolvedValues
  /** The JSON text of each secret, for a caller who may compare them. Never shown. */
  readonly secrets: ReadonlyMap<string, string> | undefined
}

export interface Matrix {
  readonly state: ConfigState
  readonly columns: readonly MatrixColumn[]
}

/**
 * Every key of a schema in every environment, at one moment and with one look at the database for all of them. Secrets are
 * opened only to be compared, and only for a caller who may read them anyway.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `sealed`
 */
export async function getMatrix(
  { store, schemas, keys }: ConfigDeps,
  caller: Caller,
  { schemaId, environmentIds }: GetMatrix,
): Promise<Matrix> {
  const { orgId, readsSecrets, mayReveal } = caller
  requireReach(caller, { schemaId })
  for (const environmentId of environmentIds ?? []) requireReach(caller, { environmentId })
  return store.transaction(caller.scope, async (tx) => {
    // The rows of one moment, although they are read one after the other.
    await tx.query({
      name: 'read-one-moment',
      text: 'set transaction isolation level repeatable read, read only',
      values: [],
    })
    const environments = await listColumns(tx, caller, environmentIds)
    const ids = environments.map(({ id }) => id)
    const [state, sealer] = await Promise.all([
      ids.length === 0
        ? findSchemaAlone(tx, orgId, schemaId)
        : findState(tx, schemas, { orgId, schemaId, environmentIds: ids }),
      readsSecrets || mayReveal ? keys.getSealer(tx, orgId) : undefined,
    ])
    if (state === undefined) throw notFound()
    const opener = sealer && createSecretOpener(sealer, orgId, schemaId)
    const columns = environments.map((environment) => {
      const resolved = resolveValues(state, environment.id)
      return { environment, resolved, secrets: opener?.open(resolved) }
    })
    return { state, columns }
  })
}

async function listColumns(
  tx: Tx,
  { orgId, environmentIds: allowed }: Caller,
  asked: readonly string[] | undefined,
): Promise<EnvironmentRow[]> {
  const all = await listEnvironmentRows(tx, orgId)
  if (asked === undefined) return all.filter(({ id }) => reaches(allowed, id))
  const found = all.filter(({ id }) => asked.includes(id))
  if (found.length < new Set(asked).size) throw notFound()
  return found
}

async function findSchemaAlone(
  tx: Tx,
  orgId: string,
  schemaId: string,
): Promise<ConfigState | undefined> {
  const row = await findSchemaRow(tx, orgId, schemaId)
  return row && { schema: toSchemaState(row), tree: new Map(), heads: new Map() }
}
