import {
  defaultTier,
  findNoteFaults,
  keyNameFault,
  keyNotes,
  limits,
  type ConfigValue,
  type KeyDefinition,
  type ProblemLocation,
  type SchemaDefinition,
} from '@signalbox/contract'
import { toJsonPointer } from '../../http/input/json-pointer.ts'
import { createCheckWork, type CheckWork } from '../constraints/check-work.ts'
import { findValueFault } from '../constraints/check-values.ts'
import { findConstraintFaults } from '../constraints/constraint-vocabulary.ts'
import {
  compileSteps,
  findWorkFault,
  matchSteps,
  measureConstraints,
} from '../constraints/constraint-work.ts'
import type { Definition, KeyRule } from './definition.ts'

/** Holds a definition with every default choice made explicit; the defaults of its secrets apart, to be sealed. */
export interface ParsedDefinition {
  readonly definition: Definition
  readonly secretDefaults: ReadonlyMap<string, ConfigValue>
  /** Keys that keep the default that is stored: `hasDefault: true` without `default`. */
  readonly keptDefaults: ReadonlySet<string>
  /** Keys whose stored default is deleted on purpose: `hasDefault: false`. */
  readonly deletedDefaults: ReadonlySet<string>
  /** Lists for each key what it does not say, and what therefore stays as it is stored. */
  readonly unsaid: ReadonlyMap<string, readonly UnsaidField[]>
}

const unsaidFields = ['deprecated', ...keyNotes] as const
/** Names a field of a key that stays as it is stored where a definition leaves it out. */
export type UnsaidField = (typeof unsaidFields)[number]

/** Holds a parsed definition, or every fault with the pointer to it. */
export type DefinitionResult =
  | { readonly parsed: ParsedDefinition }
  | { readonly faults: readonly ProblemLocation[] }

/**
 * Parses a schema as it is declared. A definition with a fault is refused as a whole.
 *
 * @throws {Problem} `validation_failed` when it is too much work
 */
export async function parseDefinition(
  declared: SchemaDefinition,
  work: CheckWork = createCheckWork(),
): Promise<DefinitionResult> {
  const entries = Object.entries(declared)
  if (entries.length > limits.keysPerSchema) {
    const detail = `Declare at most ${limits.keysPerSchema} keys in a schema.`
    return { faults: [{ pointer: '/schema', code: 'too_many_items', detail }] }
  }
  const faults = findNameFaults(entries.map(([key]) => key))
  const definition = new Map<string, KeyRule>()
  const secretDefaults = new Map<string, ConfigValue>()
  for (const [key, declaration] of entries) {
    const rule = toRule(declaration)
    const turn = work.begin(stepsOfRule(rule, declaration))
    if (turn !== undefined) await turn
    faults.push(...findRuleFaults(key, rule, declaration))
    definition.set(key, withoutSecretDefault(rule))
    if (rule.tier === 'secret' && rule.default !== undefined) secretDefaults.set(key, rule.default)
  }
  if (faults.length > 0) return { faults }
  const leftOut = entries.filter(([, key]) => key.default === undefined)
  const keysWith = (hasDefault: boolean) =>
    new Set(leftOut.filter(([, key]) => key.hasDefault === hasDefault).map(([key]) => key))
  const [keptDefaults, deletedDefaults] = [keysWith(true), keysWith(false)]
  const unsaid = new Map(
    entries.map(([key, said]) => [key, unsaidFields.filter((field) => said[field] === undefined)]),
  )
  return { parsed: { definition, secretDefaults, keptDefaults, deletedDefaults, unsaid } }
}

function findNameFaults(keys: readonly string[]): ProblemLocation[] {
  const faults: ProblemLocation[] = []
  const twins = new Map<string, string>()
  for (const key of keys) {
    const pointer = toJsonPointer(['schema', key])
    const fault = keyNameFault(key)
    if (fault !== undefined) faults.push({ pointer, code: 'reserved_key', detail: fault })
    const twin = twins.get(key.toLowerCase())
    if (twin !== undefined) {
      const detail = `The name differs from "${twin}" only in case. Choose another name.`
      faults.push({ pointer, code: 'duplicate_key', detail })
    }
    twins.set(key.toLowerCase(), key)
  }
  return faults
}

function toRule(declared: KeyDefinition): KeyRule {
  const hasDefault = declared.default !== undefined || declared.hasDefault === true
  return {
    type: declared.type,
    tier: declared.tier ?? defaultTier(declared.type),
    required: declared.required ?? !hasDefault,
    hasDefault,
    ...(declared.description === undefined ? {} : { description: declared.description }),
    ...(declared.default === undefined ? {} : { default: declared.default }),
    ...(declared.constraints === undefined ? {} : { constraints: declared.constraints }),
    ...(declared.partial === undefined ? {} : { partial: declared.partial }),
    ...(declared.deprecated === true && { deprecated: true }),
    ...(declared.declaredIn === 'dashboard' && { declaredIn: 'dashboard' }),
    ...(declared.expectedToDiffer === true && { expectedToDiffer: true }),
    ...toNotes(declared),
  }
}

/** Returns the notes that say something. */
function toNotes({ owner = '', tags = [], expires = '', killSwitch }: KeyDefinition) {
  return {
    ...(owner !== '' && { owner }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(expires !== '' && { expires }),
    ...(killSwitch === true && { killSwitch }),
  }
}

/** Counts the work even of constraints that are compiled already: the same definition is always or never refused. */
function stepsOfRule({ constraints = {} }: KeyRule, declared: KeyDefinition): number {
  const work = measureConstraints(constraints)
  return findWorkFault(work) === undefined
    ? compileSteps(work) + matchSteps(work, declared.default)
    : 0
}

function withoutSecretDefault({ default: value, ...rest }: KeyRule): KeyRule {
  return value === undefined || rest.tier === 'secret' ? rest : { ...rest, default: value }
}

function findRuleFaults(key: string, rule: KeyRule, declared: KeyDefinition): ProblemLocation[] {
  const at = (...path: (string | number)[]) => toJsonPointer(['schema', key, ...path])
  const faults: ProblemLocation[] = []
  if (rule.tier === 'featureFlags' && rule.type !== 'boolean') {
    const detail =
      'A feature flag must be a boolean. Choose the tier public or secret for other types.'
    faults.push({ pointer: at('tier'), code: 'tier_mismatch', detail })
  }
  const broken = findConstraintFaults(rule.type, rule.constraints ?? {})
  for (const { path, ...fault } of broken) {
    faults.push({ pointer: at('constraints', ...path), ...fault })
  }
  for (const { path, ...fault } of findNoteFaults(declared, rule.tier)) {
    faults.push({ pointer: at(...path), ...fault })
  }
  if (declared.default === undefined) return faults
  if (declared.hasDefault === false) {
    const detail = 'The key also has a default. Leave one of the two out.'
    faults.push({ pointer: at('hasDefault'), code: 'validation_failed', detail })
  }
  const { constraints, ...unconstrained } = rule
  const checked = broken.length > 0 || constraints === undefined ? unconstrained : rule
  const fault = findValueFault(checked, declared.default)
  return fault === undefined ? faults : [...faults, { pointer: at('default'), ...fault }]
}
