import type { Tx } from '../../store/store.ts'
import type { Caller } from '../../config-model/caller.ts'
import { noConfirmation, type EnvironmentPolicies } from '../../config-model/confirmation.ts'
import { emptyCurrentValues } from '../../config-model/current-values.ts'
import { chainOf, type EnvironmentTree } from '../../config-model/environment-tree.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { republish, toSchemaState, type Structure } from '../publication/structure.ts'
import { listSchemaRows } from '../schemas/schema-rows.ts'
import { insertCurrentRows, lockCurrentValues } from '../values/current-rows.ts'

interface PublishEnvironment {
  readonly id: string
  readonly before: EnvironmentTree
  readonly after: EnvironmentTree
  readonly policies: EnvironmentPolicies
}

/** Publishes every schema in an environment of which nothing is published: a new one, or one that comes back with its values. */
export async function publishEnvironment(
  deps: ConfigDeps,
  tx: Tx,
  caller: Caller,
  { id, before, after, policies }: PublishEnvironment,
): Promise<void> {
  const { orgId } = caller
  const schemas = (await listSchemaRows(tx, orgId)).map(toSchemaState)
  const chain = chainOf(after, id).map((node) => node.id)
  const parents = chain.slice(1)
  const locked = await lockCurrentValues(tx, orgId, { schemaIds: null, environmentIds: chain })
  await insertCurrentRows(
    tx,
    orgId,
    schemas.map((schema) => ({ schemaId: schema.id, environmentId: id })),
  )
  const structure = (tree: EnvironmentTree, own: 'without' | 'with'): Structure => ({
    schemas,
    tree,
    currentValues: new Map(
      schemas.map((schema) => {
        const values = new Map(locked.get(schema.id))
        if (own === 'without') values.delete(id)
        else if (!values.has(id)) values.set(id, emptyCurrentValues(id))
        return [schema.id, values] as const
      }),
    ),
  })
  await republish(deps, tx, caller, {
    before: structure(before, 'without'),
    after: structure(after, 'with'),
    environmentIds: [...parents, id],
    // Only the environment itself is published, as if for the first time, and none of its parents.
    policies,
    confirmation: noConfirmation,
    kinds: new Map(),
    otherwise: parents.length > 0 ? 'inherited' : 'schema',
  })
}
