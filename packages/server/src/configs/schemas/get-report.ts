import { notFound } from '../../http/answers/problem-response.ts'
import { requireReach, type Caller } from '../../config-model/caller.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { listStandardRows } from '../environments/environment-rows.ts'
import { toTree } from '../../config-model/environment-tree.ts'
import { readCurrentValues } from '../values/current-rows.ts'
import { reportEnvironments, type EnvironmentReport } from './report-environments.ts'
import { findSchemaRow } from './schema-rows.ts'
import { openValue, valueAddress } from '../../config-model/sealed-secrets.ts'
import { toSchemaState } from '../publication/structure.ts'

/**
 * Returns what the values of a schema lack in each environment that the caller reaches.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `sealed`
 */
export async function getReport(
  { store, keys }: ConfigDeps,
  caller: Caller,
  ref: string,
): Promise<EnvironmentReport[]> {
  const { orgId, environmentIds } = caller
  return store.transaction(caller.scope, async (tx) => {
    // All statements read the same moment, although they run one after the other.
    await tx.query({
      name: 'read-one-moment',
      text: 'set transaction isolation level repeatable read, read only',
      values: [],
    })
    const row = await findSchemaRow(tx, orgId, ref)
    requireReach(caller, 'readValues', { schemaId: row?.id ?? ref })
    if (row === undefined) throw notFound()
    const sealer = await keys.getSealer(tx, orgId)
    const tree = toTree(await listStandardRows(tx, orgId))
    const currentValues = await readCurrentValues(tx, { orgId, schemaId: row.id })
    const report = await reportEnvironments(
      { schema: toSchemaState(row), tree, currentValues },
      (environmentId, key, { sealed }) =>
        openValue(sealer, valueAddress({ orgId, schemaId: row.id, environmentId, key }), sealed),
    )
    return report.filter(({ environmentId }) => environmentIds?.includes(environmentId) ?? true)
  })
}
