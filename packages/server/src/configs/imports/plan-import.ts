import {
  findKeyNameViolation,
  limits,
  takesRules,
  variableNameOf,
  type FlagRule,
} from '@signalbox/contract'
import { flagRules, type PlannedKey } from '@signalbox/contract/rest'
import type { Author } from '../../audit/audit-event.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import { checkEdit } from '../../config-model/constraints/check-values.ts'
import { createCheckWork, type CheckWork } from '../../config-model/constraints/check-work.ts'
import type { EnvironmentRow } from '../environments/environment-rows.ts'
import type { EnvironmentTree } from '../../config-model/environment-tree.ts'
import type { Definition, KeyRule } from '../../config-model/definition.ts'
import { parseDefinition } from '../../config-model/parse-definition.ts'
import { noSegments } from '../../config-model/known-segments.ts'
import { emptyCurrentValues } from '../../config-model/current-values.ts'
import type {
  CurrentValues,
  CurrentValuesByEnvironment,
} from '../../config-model/current-values.ts'
import { editValues } from '../../config-model/edit-values.ts'
import { sealSecrets } from '../../config-model/sealed-secrets.ts'
import { createTakenVariables, type TakenVariables } from '../../config-model/taken-variables.ts'
import {
  resolveValues,
  type ResolvedValue,
  type SchemaState,
} from '../../config-model/resolve-values.ts'
import { turnsOff } from '../../config-model/segment-texts.ts'
import {
  toKeyDefinition,
  type ImportedKey,
  type ImportEdit,
  type ImportRequest,
  type PlannedImport,
} from './import-plan.ts'

/** Holds what an import is planned against. */
export interface ImportContext {
  readonly orgId: string
  readonly author: Author
  readonly sealer: Sealer
  readonly now: Date
  /** Describes the schema; without keys where there is none yet. */
  readonly schema: SchemaState
  readonly environments: readonly EnvironmentRow[]
  readonly tree: EnvironmentTree
  readonly currentValues: CurrentValuesByEnvironment
}

/**
 * Plans an import: for each key whether it is created, changed, skipped, unchanged or invalid. An invalid key does not touch the
 * others. Stores nothing.
 *
 * @throws {Problem} `validation_failed` when it is too much work
 */
export async function planImport(
  context: ImportContext,
  { document, update = [], allowPlain = [] }: ImportRequest,
): Promise<PlannedImport> {
  const work = createCheckWork()
  const { definition } = context.schema
  const variables = createTakenVariables()
  for (const [key, { variable }] of definition) variables.add({ key, variable })
  const names = new Map([...definition.keys()].map((key) => [key.toLowerCase(), key]))
  const named = new Set(update)
  const plain = new Set(allowPlain)
  const plan: { keys: PlannedKey[]; newKeys: PlannedImport['newKeys']; edits: ImportEdit[] } = {
    keys: [],
    newKeys: {},
    edits: [],
  }
  for (const imported of document.keys) {
    const violation =
      findNameViolation(imported.key, names, plan.newKeys) ??
      (definition.has(imported.key) ? undefined : findVariableViolation(imported, variables))
    if (violation !== undefined) plan.keys.push(toFailed(imported, [violation]))
    else {
      const { key } = imported
      const may = { mayChange: named.has(key), mayBePlain: plain.has(key) }
      const planned = await planKey(context, imported, { ...may, work })
      names.set(imported.key.toLowerCase(), imported.key)
      plan.keys.push(planned.key)
      if (planned.key.action === 'create') {
        const declared = toKeyDefinition(imported, context.environments.length)
        plan.newKeys = { ...plan.newKeys, [imported.key]: declared }
      }
      plan.edits.push(...planned.edits)
    }
  }
  for (const { from, issues } of document.leftOut) {
    const none = { environments: [], problems: [] }
    plan.keys.push({ key: from, from, verdict: 'left out', action: 'none', issues, ...none })
  }
  return plan
}

function findNameViolation(
  key: string,
  names: ReadonlyMap<string, string>,
  newKeys: PlannedImport['newKeys'],
): string | undefined {
  const twin = names.get(key.toLowerCase())
  if (twin !== undefined && twin !== key)
    return `${twin} exists, and differs only in case. Rename one of them.`
  if (Object.hasOwn(newKeys, key)) return 'The document has this key twice. Remove one of them.'
  if (twin === undefined && names.size >= limits.keysPerSchema) {
    return `A schema has at most ${limits.keysPerSchema} keys. Import the rest into another schema.`
  }
  return findKeyNameViolation(key)
}

function findVariableViolation(imported: ImportedKey, taken: TakenVariables): string | undefined {
  const other = taken.add(imported)
  return (
    other &&
    `${other} has the variable ${variableNameOf(imported.key, imported.variable)} already. Rename one of them.`
  )
}

function toFailed({ key, from, verdict, issues }: ImportedKey, problems: string[]): PlannedKey {
  return { key, from, verdict, action: 'failed', environments: [], issues, problems }
}

interface PlannedOne {
  readonly key: PlannedKey
  readonly edits: readonly ImportEdit[]
}

type State = PlannedKey['environments'][number]['state']

async function planKey(
  context: ImportContext,
  imported: ImportedKey,
  {
    mayChange,
    mayBePlain,
    work,
  }: { readonly mayChange: boolean; readonly mayBePlain: boolean; readonly work: CheckWork },
): Promise<PlannedOne> {
  const { schema, environments } = context
  const stored = schema.definition.get(imported.key)
  if (stored !== undefined && (stored.type !== imported.type || stored.tier !== imported.tier)) {
    const problem = `${imported.key} exists as ${stored.type} of the tier ${stored.tier}. Rename one of them, or delete it first.`
    return { key: toFailed(imported, [problem]), edits: [] }
  }
  const definition = await mergeDefinition(context, imported)
  if ('problems' in definition) return { key: toFailed(imported, definition.problems), edits: [] }
  const failures: Failure[] = []
  const states: { environment: string; state: State }[] = []
  const edits: ImportEdit[] = []
  for (const value of imported.values) {
    const name = value.environment.toLowerCase()
    const environment = environments.find((one) => one.name.toLowerCase() === name)
    if (environment === undefined) {
      states.push({ environment: value.environment, state: 'missing environment' })
      continue
    }
    const one = { imported, value, environment, mayBePlain, work }
    const checked = await checkValue(context, definition, one)
    if ('problems' in checked) failures.push(checked)
    else {
      states.push({ environment: environment.name, state: checked.state })
      if (checked.state !== 'turned off') edits.push(checked.edit)
    }
  }
  if (failures.length > 0) return { key: joinFailures(imported, failures), edits: [] }
  const action = chooseAction(states, { isNew: stored === undefined, mayChange })
  const isWritten = action === 'create' || action === 'update'
  const { key, from, verdict, issues } = imported
  return {
    key: {
      key,
      from,
      ...toVariable(definition.get(key)),
      verdict,
      action,
      environments: states,
      issues,
      problems: [],
    },
    edits: isWritten ? edits : [],
  }
}

function toVariable(rule: KeyRule | undefined): Pick<PlannedKey, 'variable'> {
  return rule?.variable === undefined ? {} : { variable: rule.variable }
}

function chooseAction(
  states: readonly { readonly state: State }[],
  { isNew, mayChange }: { readonly isNew: boolean; readonly mayChange: boolean },
): PlannedKey['action'] {
  if (isNew) return 'create'
  const has = (state: State) => states.some((one) => one.state === state)
  if (has('differs')) return mayChange ? 'update' : 'skip'
  return has('set') ? 'update' : 'unchanged'
}

async function mergeDefinition(
  { schema, environments }: ImportContext,
  imported: ImportedKey,
): Promise<Definition | { readonly problems: string[] }> {
  if (schema.definition.has(imported.key)) return schema.definition
  const declared = { [imported.key]: toKeyDefinition(imported, environments.length) }
  const result = await parseDefinition(declared)
  return 'violations' in result
    ? { problems: result.violations.map(({ detail }) => detail) }
    : result.parsed.definition
}

interface CheckedValue {
  readonly imported: ImportedKey
  readonly value: ImportedKey['values'][number]
  readonly environment: EnvironmentRow
  /** Says whether an open value may have the form of a credential. */
  readonly mayBePlain: boolean
  readonly work: CheckWork
}

/** Describes why a value fails. `isSuspect`: for its form alone, which is that of a credential. */
interface Failure {
  readonly problems: string[]
  readonly isSuspect?: boolean
}

function joinFailures(imported: ImportedKey, failures: readonly Failure[]): PlannedKey {
  const problems = failures.flatMap((failure) => failure.problems)
  const failed = toFailed(imported, problems)
  return failures.every(({ isSuspect }) => isSuspect === true)
    ? { ...failed, looksLikeSecret: true }
    : failed
}

type CheckedState = Failure | { readonly state: State; readonly edit: ImportEdit }

async function checkValue(
  context: ImportContext,
  definition: Definition,
  { imported: { key }, value: { value, rules }, environment, mayBePlain, work }: CheckedValue,
): Promise<CheckedState> {
  const at = (detail: string) => `${environment.name}: ${detail}`
  const parsed = flagRules.safeParse(rules ?? [])
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) =>
      at(`rules/${path.join('/')}: ${message}`),
    )
    return { problems: problems.slice(0, 5) }
  }
  const list: readonly FlagRule[] = parsed.data
  const ruleList = toWantedRules(definition.get(key), list)
  if (ruleList === undefined && list.length > 0)
    return { problems: [at('Only feature flags and targeted keys have rules.')] }
  const { orgId, schema, sealer, author, now } = context
  const current = onlyKey(context.currentValues.get(environment.id), environment.id, key)
  const requested = {
    set: { [key]: value },
    rules: ruleList === undefined ? {} : { [key]: ruleList },
    remove: [],
    allowPlain: new Set(mayBePlain ? [key] : []),
  }
  const source = { set: [], rules: [], remove: [], work }
  const checked = await checkEdit({ definition, current, segments: noSegments }, requested, source)
  if ('violations' in checked) {
    const { violations } = checked
    const isSuspect = violations.every(({ code }) => code === 'looks_like_secret')
    return { problems: violations.map(({ detail }) => at(detail)), isSuspect }
  }
  const edit = { environmentId: environment.id, key, value, rules: ruleList }
  const secrets = { orgId, schemaId: schema.id, definition, sealer }
  const sealed = sealSecrets({ ...secrets, isCompared: true }, current, checked.edit.set)
  const editing = { definition, sealed, author, now }
  if (editValues(editing, current, checked.edit) === current) return { state: 'same', edit }
  const stored = resolveKey(context, environment.id, key)
  if (turnsOff(stored?.rules)) return { state: 'turned off', edit }
  return { state: stored === undefined ? 'set' : 'differs', edit }
}

/** Returns what an environment sets of one key. A copy of all its values for each of 25,000 takes half a minute. */
function onlyKey(
  current: CurrentValues | undefined,
  environmentId: string,
  key: string,
): CurrentValues {
  const { openValues, secretValues, ...rest } = current ?? emptyCurrentValues(environmentId)
  return { ...rest, openValues: pick(openValues, key), secretValues: pick(secretValues, key) }
}

function pick<T>(values: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const value = Object.hasOwn(values, key) ? values[key] : undefined
  return value === undefined ? {} : { [key]: value }
}

/** Returns the value of a key in an environment, as stored: set, inherited or the default. `undefined`: there is none. */
function resolveKey(
  { schema, tree, currentValues }: ImportContext,
  environmentId: string,
  key: string,
): ResolvedValue | undefined {
  const rule = schema.definition.get(key)
  if (rule === undefined) return undefined
  const only = { ...schema, definition: new Map([[key, rule]]) }
  const resolved = resolveValues({ schema: only, tree, currentValues }, environmentId).get(key)
  return resolved?.source === 'missing' ? undefined : resolved
}

/** Returns the rules to store: `null` removes those of a key that takes rules, and other keys have none. */
function toWantedRules(
  rule: KeyRule | undefined,
  list: readonly FlagRule[],
): readonly FlagRule[] | null | undefined {
  if (!takesRules(rule ?? {})) return undefined
  return list.length === 0 ? null : list
}
