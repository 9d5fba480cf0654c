import { importSources, type FlagRule } from '@signalbox/contract'
import type { ImportPlan } from '@signalbox/contract/rest'
import { requireReach, wildcardId, type Caller } from '../../config-model/caller.ts'
import { commit, recordConfigEvent, type ConfigDeps } from '../config-deps.ts'
import {
  listRequirements,
  requireConfirmation,
  toConfirmation,
  toPolicies,
} from '../../config-model/confirmation.ts'
import { requireNoApproval } from '../../config-model/approvals.ts'
import { wholeEnvironment, type Effect } from '../../config-model/effects.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import { toTree, chainOf, descendantsOf } from '../../config-model/environment-tree.ts'
import { toSchemaState } from '../publication/structure.ts'
import { createSchema } from '../schemas/create-schema.ts'
import { replaceSchema } from '../schemas/replace-schema.ts'
import { findSchemaRow, type SchemaRow } from '../schemas/schema-rows.ts'
import { changeConfig } from '../values/change-config.ts'
import { readCurrentValues } from '../values/current-rows.ts'
import {
  countPlan,
  type ImportRequest,
  type PlannedImport,
  type ImportEdit,
} from './import-plan.ts'
import { planImport, type ImportContext } from './plan-import.ts'
import { isOwnKey } from '../../config-model/current-values.ts'

/**
 * Imports a document from another product: declares its new keys, then stores its values as one change set, so that each
 * environment gets one version. A dry run answers the plan alone. It may be repeated: what is stored already is unchanged.
 *
 * @throws {Problem} `key_scope_forbidden`, `confirmation_required`, `comment_required`, and what a change of the schema or
 * of values is refused with
 */
export async function importConfig(
  deps: ConfigDeps,
  caller: Caller,
  request: ImportRequest,
): Promise<ImportPlan> {
  // A repeated request is answered by the transaction that ends the import: the first one that has its key.
  const { idempotency: _key, ...scope } = caller.scope
  const step = { ...caller, scope }
  const { row, context } = await readContext(deps, step, request.schema)
  const planned = await planImport(context, request)
  const policies = toPolicies(context.environments)
  const touched = listReached(context, planned.edits)
  const requires = listRequirements(policies, touched)
  if (request.dryRun === true) {
    const plan = present(request, row?.id ?? null, { planned, requires })
    return deps.store.transaction(caller.scope, () => Promise.resolve(plan))
  }
  const confirmation = toConfirmation(request)
  requireConfirmation(policies, touched, confirmation)
  // Before the keys are declared: a request declares and sets them in one transaction.
  if (!deps.approvalCheck.isOfRequest) {
    requireNoApproval(policies, effectsOf(context, { reached: touched, edits: planned.edits }))
  }
  const from = importSources[request.document.source]
  const confirmed = { ...confirmation, comment: confirmation.comment ?? `Imported from ${from}` }
  const schemaId = await declareKeys(deps, step, {
    row,
    request,
    planned,
    confirmation: confirmed,
  })
  if (planned.edits.length > 0) {
    const changes = toChanges(planned, context.currentValues)
    const { allowPlain = [] } = request
    await changeConfig(deps, step, {
      schemaId,
      changes,
      allowPlain,
      confirmation: confirmed,
      dryRun: false,
    })
  }
  const plan = present(request, schemaId, { planned, requires })
  return commit(deps, caller, (tx) => {
    if (planned.edits.length > 0) {
      recordConfigEvent(tx, caller, {
        action: 'value.imported',
        target: { type: 'config_schema', id: schemaId, name: request.schema },
        detail: { from, keys: [...new Set(planned.edits.map(({ key }) => key))] },
      })
    }
    return Promise.resolve(plan)
  })
}

async function readContext(
  deps: ConfigDeps,
  caller: Caller,
  ref: string,
): Promise<{ readonly row: SchemaRow | undefined; readonly context: ImportContext }> {
  const { orgId, author } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    const row = await findSchemaRow(tx, orgId, ref)
    requireReach(caller, 'writeSchemas', {
      schemaId: row?.id ?? wildcardId,
      environmentId: wildcardId,
    })
    const environments = await listEnvironmentRows(tx, orgId)
    const schema =
      row === undefined
        ? { id: '', name: ref, revision: 0, definition: new Map(), secretDefaults: {} }
        : toSchemaState(row)
    const currentValues =
      row === undefined ? new Map() : await readCurrentValues(tx, { orgId, schemaId: row.id })
    const sealer = await deps.keys.getSealer(tx, orgId)
    const tree = toTree(environments)
    const now = deps.now()
    return {
      row,
      context: { orgId, author, sealer, now, schema, environments, tree, currentValues },
    }
  })
}

interface DeclareKeys {
  readonly row: SchemaRow | undefined
  readonly request: ImportRequest
  readonly planned: PlannedImport
  readonly confirmation: ReturnType<typeof toConfirmation>
}

/** Creates the schema, or adds the new keys to it, and returns its id. */
async function declareKeys(
  deps: ConfigDeps,
  caller: Caller,
  { row, request, planned: { newKeys }, confirmation }: DeclareKeys,
): Promise<string> {
  if (row === undefined) {
    const created = {
      name: request.schema,
      description: undefined,
      schema: newKeys,
      allowPlain: [],
    }
    return (await createSchema(deps, caller, created)).row.id
  }
  if (Object.keys(newKeys).length === 0) return row.id
  await replaceSchema(deps, caller, row.id, {
    description: undefined,
    schema: { ...row.definition, ...newKeys },
    environmentId: undefined,
    dryRun: false,
    force: false,
    exposeKeys: [],
    returning: {},
    values: [],
    allowPlain: [],
    confirmation,
    ifMatch: row.revision,
    readOnly: {},
  })
  return row.id
}

/** Groups edits by environment. Where the definition stays as it is, nobody may have written in between. */
function toChanges(
  { edits, newKeys }: PlannedImport,
  currentValues: ImportContext['currentValues'],
) {
  const isSame = Object.keys(newKeys).length === 0
  return [...Map.groupBy(edits, ({ environmentId }) => environmentId)].map(
    ([environmentId, own]) => {
      const rules: [string, readonly FlagRule[] | null][] = []
      for (const edit of own) if (edit.rules !== undefined) rules.push([edit.key, edit.rules])
      return {
        environmentId,
        expectedVersion: isSame ? currentValues.get(environmentId)?.version : undefined,
        set: Object.fromEntries(own.map(({ key, value }) => [key, value])),
        rules: Object.fromEntries(rules),
        unset: [],
        turn: {},
      }
    },
  )
}

function present(
  { schema, dryRun = false }: ImportRequest,
  schemaId: string | null,
  {
    planned,
    requires,
  }: { readonly planned: PlannedImport; readonly requires: ImportPlan['requires'] },
): ImportPlan {
  const keys = [...planned.keys]
  return { schemaId, schema, dryRun, counts: countPlan(keys), keys, requires }
}

/** Returns an effect for each imported key in each environment that it reaches, as far as approvals depend on it. */
function effectsOf(
  { environments }: Pick<ImportContext, 'environments'>,
  {
    reached,
    edits,
  }: { readonly reached: ReadonlySet<string>; readonly edits: readonly ImportEdit[] },
): Effect[] {
  const keys = [...new Set(edits.map(({ key }) => key))]
  return environments
    .filter(({ id }) => reached.has(id))
    .flatMap((environment) =>
      keys.map((key) => ({ ...wholeEnvironment(environment), key, before: null, after: null })),
    )
}

/** Returns the ids of the environments that edits are of, and of those that inherit an edited value. */
function listReached(
  { tree, currentValues }: Pick<ImportContext, 'tree' | 'currentValues'>,
  edits: readonly ImportEdit[],
): ReadonlySet<string> {
  const keysByEnvironment = new Map<string, Set<string>>()
  for (const { environmentId, key } of edits) {
    const keys = keysByEnvironment.get(environmentId) ?? new Set()
    keysByEnvironment.set(environmentId, keys.add(key))
  }
  const reached = new Set(keysByEnvironment.keys())
  const sets = (id: string, key: string) =>
    keysByEnvironment.get(id)?.has(key) === true || isOwnKey(currentValues.get(id), key)
  for (const [environmentId, keys] of keysByEnvironment) {
    for (const { id } of descendantsOf(tree, environmentId)) {
      if (reached.has(id)) continue
      const ids = chainOf(tree, id).map((node) => node.id)
      const between = ids.slice(0, ids.indexOf(environmentId))
      if ([...keys].some((key) => !between.some((each) => sets(each, key)))) reached.add(id)
    }
  }
  return reached
}
