import { setImmediate as turn } from 'node:timers/promises'
import {
  findDrift,
  findSecretDue,
  Problem,
  sameValue,
  standsForNothing,
  type ComparedCell,
  type SecretDue,
} from '@signalbox/contract'
import type { Tx } from '../store/store.ts'
import { readRules } from '../config-model/constraints/check-rules.ts'
import { listEnvironmentRows, type EnvironmentRow } from './environments/environment-rows.ts'
import type { CurrentValues } from '../config-model/current-values.ts'
import { toTree } from '../config-model/environment-tree.ts'
import { defaultAddress, openValue } from '../config-model/sealed-secrets.ts'
import type { OrganizationKeys, Sealer } from '../vault/organization-keys.ts'
import {
  findStateMark,
  readAllCurrentValues,
  type CurrentValuesBySchema,
} from './values/current-rows.ts'
import {
  resolveValues,
  type ResolvedValue,
  type ResolvedValues,
  type SchemaState,
} from '../config-model/resolve-values.ts'
import type { SchemaCache } from './schemas/schema-cache.ts'
import { listSchemaRows } from './schemas/schema-rows.ts'

/** Names the required keys of a schema without a value in an environment. */
export interface MissingKeys {
  readonly schemaId: string
  readonly schema: string
  /** Lists the first of them; `count` counts all. */
  readonly keys: readonly string[]
  readonly count: number
}

/** Counts the keys of a schema that differ between two environments. */
interface DifferingKeys {
  readonly schemaId: string
  readonly schema: string
  readonly count: number
}

/** Describes how complete an environment is, over all schemas. */
export interface ConfigSummary {
  /** Required keys without a value. */
  readonly missing: number
  /** Names those keys by schema, in the order of the schemas. */
  readonly missingIn: readonly MissingKeys[]
  /** Open keys that differ from another environment unexpectedly; `undefined`: there is none to compare with. */
  readonly drift:
    | {
        readonly environmentId: string
        readonly keys: number
        /** Counts those keys by schema, in the order of the schemas. */
        readonly bySchema: readonly DifferingKeys[]
      }
    | undefined
}

/** Names the flags of a schema that have an end date. */
export interface EndingFlags {
  readonly schemaId: string
  readonly schema: string
  /** Lists them in the order of the schema, each with the day on which it should be gone. */
  readonly flags: readonly { readonly key: string; readonly expires: string }[]
}

/** Describes a secret with a note on its life, in an environment that sets it itself. */
export interface LivingSecret extends SecretDue {
  readonly schemaId: string
  readonly schema: string
  readonly environmentId: string
  readonly environment: string
  readonly key: string
  readonly runbook: string | undefined
}

/** Names the keys of a schema whose default is a text such as `undefined`, which programs write for a missing value. */
export interface DefaultsOfNothing {
  readonly schemaId: string
  readonly schema: string
  /** Lists them in the order of the schema. */
  readonly keys: readonly string[]
}

/** Holds the summaries of an organization's configuration. */
export interface ConfigSummaries {
  /** Holds the summary of each environment, by its id. */
  readonly environments: ReadonlyMap<string, ConfigSummary>
  /** Lists the schemas that have flags with an end date. */
  readonly ending: readonly EndingFlags[]
  /** Lists the secrets that are due at some time, by schema and environment. */
  readonly secrets: readonly LivingSecret[]
  /** Lists the schemas that have such defaults, which a push refuses today and took before. */
  readonly defaultsOfNothing: readonly DefaultsOfNothing[]
}

/** Everything that summaries depend on, read at one moment. */
interface ReadConfigs {
  readonly mark: string
  readonly environments: readonly EnvironmentRow[]
  readonly schemas: readonly SchemaState[]
  readonly currentValues: CurrentValuesBySchema
  readonly isNothing: (schema: SchemaState, key: string) => boolean
}

/** Summarizes how complete environments are. Computes that once for each state of an organization's configuration. */
export interface ConfigSummarizer {
  /** Reads in the caller's transaction. Returns the function that summarizes, to be called after the transaction. */
  read(tx: Tx, orgId: string): Promise<() => Promise<ConfigSummaries>>
}

const rememberedMax = 200
/** Limits the names that are remembered of each schema and environment. */
const namedMax = 20

/** Creates a summarizer that remembers the summaries of 200 organizations, those summarized last. */
export function createConfigSummarizer({
  schemas,
  keys,
}: {
  readonly schemas: SchemaCache
  readonly keys: Pick<OrganizationKeys, 'getSealer'>
}): ConfigSummarizer {
  const remembered = new Map<string, { readonly mark: string; readonly of: ConfigSummaries }>()
  const remember = (orgId: string, mark: string, of: ConfigSummaries) => {
    remembered.delete(orgId)
    const oldest = remembered.keys().next().value
    if (remembered.size >= rememberedMax && oldest !== undefined) remembered.delete(oldest)
    remembered.set(orgId, { mark, of })
    return of
  }
  return {
    async read(tx, orgId) {
      const mark = await findStateMark(tx, orgId)
      const known = remembered.get(orgId)
      if (known?.mark === mark) return async () => known.of
      const sealer = await keys.getSealer(tx, orgId).catch(withoutKeys)
      const isNothing = createDefaultCheck(sealer, orgId)
      const configs = { mark, isNothing, ...(await readConfigs(tx, orgId, schemas)) }
      return async () => remember(orgId, mark, await summarize(configs))
    },
  }
}

/** Leaves out what is sealed on a node that lacks the root key, which says so elsewhere. */
function withoutKeys(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
}

function createDefaultCheck(sealer: Sealer | undefined, orgId: string): ReadConfigs['isNothing'] {
  return ({ id, definition, secretDefaults }, key) => {
    const sealed = secretDefaults[key]
    if (sealed === undefined || sealer === undefined)
      return standsForNothing(definition.get(key)?.default)
    return standsForNothing(openValue(sealer, defaultAddress(orgId, id, key), sealed))
  }
}

async function readConfigs(
  tx: Tx,
  orgId: string,
  cache: SchemaCache,
): Promise<Omit<ReadConfigs, 'mark' | 'isNothing'>> {
  const [environments, rows, currentValues] = await Promise.all([
    listEnvironmentRows(tx, orgId),
    listSchemaRows(tx, orgId),
    readAllCurrentValues(tx, orgId),
  ])
  const schemas = rows.map((row) => ({ id: row.id, name: row.name, ...cache.take(row) }))
  return { environments, schemas, currentValues }
}

interface Counted {
  missing: number
  missingIn: MissingKeys[]
  drift: DifferingKeys[]
}

/** Yields to other requests after each pair of schema and environment: there may be 2,500 of them. */
async function summarize({
  environments,
  schemas,
  currentValues,
  isNothing,
}: ReadConfigs): Promise<ConfigSummaries> {
  const tree = toTree(environments)
  const standard = environments.filter(({ source }) => source === null)
  const others = new Map(environments.map(({ id }) => [id, findOther(standard, id)]))
  const counts = new Map<string, Counted>(
    environments.map(({ id }) => [id, { missing: 0, missingIn: [], drift: [] }]),
  )
  const defaultsOfNothing: DefaultsOfNothing[] = []
  for (const schema of schemas) {
    const keys = [...schema.definition.keys()].filter((key) => isNothing(schema, key))
    if (keys.length > 0) defaultsOfNothing.push({ schemaId: schema.id, schema: schema.name, keys })
    const state = { schema, tree, currentValues: currentValues.get(schema.id) ?? new Map() }
    const resolved = new Map<string, ResolvedValues>()
    for (const { id } of standard) {
      resolved.set(id, resolveValues(state, id))
      await turn()
    }
    for (const [id, count] of counts) {
      const other = others.get(id)
      countKeys(schema, resolved.get(id), resolved.get(other ?? ''), count)
      await turn()
    }
  }
  const summaries = new Map(
    [...counts].map(([id, { drift, ...missing }]): [string, ConfigSummary] => {
      const environmentId = others.get(id)
      if (environmentId === undefined) return [id, { ...missing, drift: undefined }]
      const keys = drift.reduce((sum, { count }) => sum + count, 0)
      return [id, { ...missing, drift: { environmentId, keys, bySchema: drift } }]
    }),
  )
  const secrets = schemas.flatMap((schema) =>
    listLivingSecrets(schema, environments, currentValues.get(schema.id) ?? new Map()),
  )
  return { environments: summaries, ending: schemas.flatMap(toEnding), secrets, defaultsOfNothing }
}

/** Lists the secrets of a schema that are due at some time, where an environment sets them itself. */
export function listLivingSecrets(
  { id, name, definition }: Pick<SchemaState, 'id' | 'name' | 'definition'>,
  environments: readonly Pick<EnvironmentRow, 'id' | 'name'>[],
  currentValues: ReadonlyMap<string, Pick<CurrentValues, 'secretValues'>>,
): LivingSecret[] {
  const noted = [...definition].filter(
    ([, rule]) =>
      rule.tier === 'secret' && (rule.expires !== undefined || rule.rotateEvery !== undefined),
  )
  return noted.flatMap(([key, rule]) =>
    environments.flatMap((environment): LivingSecret[] => {
      const entry = currentValues.get(environment.id)?.secretValues[key]
      const due = entry && findSecretDue(rule, entry.updatedAt)
      if (due === undefined) return []
      const at = { environmentId: environment.id, environment: environment.name }
      return [{ schemaId: id, schema: name, ...at, key, runbook: rule.runbook, ...due }]
    }),
  )
}

function toEnding({ id, name, definition }: SchemaState): EndingFlags[] {
  const flags = [...definition].flatMap(([key, { tier, expires }]) =>
    tier !== 'featureFlags' || expires === undefined ? [] : [{ key, expires }],
  )
  return flags.length === 0 ? [] : [{ schemaId: id, schema: name, flags }]
}

/** Returns the environment to compare with: the parent, or else the one that was created before. */
function findOther(environments: readonly EnvironmentRow[], id: string): string | undefined {
  const index = environments.findIndex((each) => each.id === id)
  return environments[index]?.parentId ?? environments[index - 1]?.id
}

function countKeys(
  { id, name, definition }: SchemaState,
  own: ResolvedValues | undefined,
  other: ResolvedValues | undefined,
  count: Counted,
): void {
  const missing: string[] = []
  for (const [key, { required }] of definition) {
    if (required && own?.get(key)?.source === 'missing') missing.push(key)
  }
  const differing = countDrift(definition, own, other)
  if (differing > 0) count.drift.push({ schemaId: id, schema: name, count: differing })
  if (missing.length === 0) return
  count.missing += missing.length
  const keys = missing.slice(0, namedMax)
  count.missingIn.push({ schemaId: id, schema: name, keys, count: missing.length })
}

function countDrift(
  definition: SchemaState['definition'],
  own: ResolvedValues = new Map(),
  other: ResolvedValues = new Map(),
): number {
  let count = 0
  for (const [key, { expectedToDiffer = false }] of definition) {
    const [value, compared] = [own.get(key), other.get(key)]
    if (expectedToDiffer || value === undefined || compared === undefined) continue
    if (isDrift(value, compared)) count += 1
  }
  return count
}

function isDrift(one: ResolvedValue, other: ResolvedValue): boolean {
  if (one.value !== undefined && sameValue(one.value, other.value) && one.rules === other.rules)
    return false
  return findDrift([toCell(one), toCell(other)]) === true
}

function toCell({ source, value, rules }: ResolvedValue): ComparedCell {
  return { source, value, rules: rules === undefined ? undefined : readRules(rules) }
}
