import type { SchemaDefinition } from '@signalbox/contract'
import { createCheckWork, reportStepsMax } from '../../config-model/constraints/check-work.ts'
import {
  fromStoredDefinition,
  toStoredDefinition,
  type Definition,
  type StoredDefinition,
} from '../../config-model/definition.ts'
import { toTree, type EnvironmentTree } from '../../config-model/environment-tree.ts'
import { emptyCurrentValues } from '../../config-model/current-values.ts'
import { resolveValues, type ConfigState } from '../../config-model/resolve-values.ts'
import { openValue, valueAddress } from '../../config-model/sealed-secrets.ts'
import type { Tx } from '../../store/store.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { listStandardRows, type EnvironmentRow } from '../environments/environment-rows.ts'
import {
  findStateMark,
  readAllCurrentValues,
  type CurrentValuesBySchema,
} from '../values/current-rows.ts'
import { requireDefinition } from './create-schema.ts'
import { reportEnvironments } from './report-environments.ts'
import { listSchemaRows, type SchemaRow } from './schema-rows.ts'

/** Describes what the stored values of an environment are for a definition that is stored nowhere. */
export interface ComparedEnvironment {
  readonly environmentId: string
  readonly environment: string
  readonly production: boolean
  readonly missing: readonly string[]
  readonly invalid: readonly { readonly key: string; readonly detail: string }[]
}

/** Describes a schema of a name, compared with a definition. */
export interface ComparedSchema {
  /** `null`: there is no schema of this name. */
  readonly schemaId: string | null
  readonly environments: readonly ComparedEnvironment[]
}

/**
 * Parses a definition that comes from elsewhere, and returns it as it may be stored: the default of a secret is left out, and only
 * that there is one is known.
 *
 * @throws {Problem} with a pointer to each violation
 */
export async function parseForeignDefinition(
  declared: SchemaDefinition,
): Promise<StoredDefinition> {
  const { definition } = await requireDefinition(declared)
  return toStoredDefinition(definition)
}

/** Compares definitions with the values that are stored now. */
export interface DefinitionComparer {
  /** Differs for every state of the organization's values, schemas and environments. */
  readonly mark: string
  /** @throws {Problem} `validation_failed` when it is too much work */
  compare(name: string, definition: StoredDefinition): Promise<ComparedSchema>
}

/** Reads all that definitions are compared with, once for all of them. */
export async function openDefinitionComparer(
  { keys }: Pick<ConfigDeps, 'keys'>,
  tx: Tx,
  orgId: string,
): Promise<DefinitionComparer> {
  const sealer = await keys.getSealer(tx, orgId)
  // Before the rest, so that what is compared is at least as new.
  const mark = await findStateMark(tx, orgId)
  // A preview may lack a value: it inherits no secret that is not named.
  const environments = await listStandardRows(tx, orgId)
  const schemas = await listSchemaRows(tx, orgId)
  const values = await readAllCurrentValues(tx, orgId)
  const stored: Stored = { orgId, sealer, environments, tree: toTree(environments), values }
  const known = new Map(schemas.map((row) => [row.name.toLowerCase(), row]))
  return {
    mark,
    compare: (name, definition) => compare(stored, known.get(name.toLowerCase()), definition),
  }
}

interface Stored {
  readonly orgId: string
  readonly sealer: Sealer
  readonly environments: readonly EnvironmentRow[]
  readonly tree: EnvironmentTree
  readonly values: CurrentValuesBySchema
}

async function compare(
  { orgId, sealer, environments, tree, values }: Stored,
  schema: SchemaRow | undefined,
  declared: StoredDefinition,
): Promise<ComparedSchema> {
  const schemaId = schema?.id ?? ''
  const definition = fromStoredDefinition(declared)
  const current = values.get(schemaId)
  const state = {
    schema: {
      id: schemaId,
      name: schema?.name ?? '',
      revision: 0,
      definition,
      secretDefaults: markDefaults(definition),
    },
    tree,
    currentValues: new Map(
      environments.map(({ id }) => [id, current?.get(id) ?? emptyCurrentValues(id)]),
    ),
  }
  const reports = await reportEnvironments(
    state,
    (environmentId, key, { sealed }) =>
      openValue(sealer, valueAddress({ orgId, schemaId, environmentId, key }), sealed),
    createCheckWork({ stepsMax: reportStepsMax }),
  )
  const refused = new Map(
    reports.map(({ environmentId, invalid }) => [
      environmentId,
      new Map(invalid.map(({ key, detail }) => [key, detail])),
    ]),
  )
  const production = new Map(environments.map((each) => [each.id, each.production]))
  return {
    schemaId: schema?.id ?? null,
    environments: reports.map(({ environmentId, environment, missing, invalid }) => ({
      environmentId,
      environment,
      production: production.get(environmentId) ?? false,
      missing,
      invalid: [...invalid, ...findInherited(state, environmentId, refused)],
    })),
  }
}

/** Lists the values that an environment inherits, and that the definition refuses where they are set. */
function findInherited(
  state: ConfigState,
  environmentId: string,
  refused: ReadonlyMap<string, ReadonlyMap<string, string>>,
): { key: string; detail: string }[] {
  return [...resolveValues(state, environmentId)].flatMap(
    ([key, { source, environmentId: of }]) => {
      const detail = source === 'inherited' ? refused.get(of ?? '')?.get(key) : undefined
      return detail === undefined ? [] : [{ key, detail }]
    },
  )
}

/** Returns a text that differs for every state of an organization's values, schemas and environments. */
export const readStateMark = findStateMark

/** Marks the secrets that have a default, whose value is not known and not needed. */
function markDefaults(definition: Definition): Record<string, string> {
  return Object.fromEntries(
    [...definition].flatMap(([key, { tier, hasDefault }]) =>
      tier === 'secret' && hasDefault ? [[key, 'declared']] : [],
    ),
  )
}
