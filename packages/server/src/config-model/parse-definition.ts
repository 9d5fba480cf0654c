import {
  defaultTier,
  findNoteViolations,
  findVariantViolations,
  findKeyNameViolation,
  keyNotes,
  limits,
  standsForNothing,
  toCanonical,
  type ConfigValue,
  type KeyDefinition,
  type ProblemLocation,
  type SchemaDefinition,
} from '@signalbox/contract'
import { toJsonPointer } from '../http/input/json-pointer.ts'
import { createCheckWork, type CheckWork } from './constraints/check-work.ts'
import { findValueViolation, locateViolation } from './constraints/check-value.ts'
import { findConstraintViolations } from './constraints/constraint-vocabulary.ts'
import {
  compileSteps,
  findWorkViolation,
  matchSteps,
  measureConstraints,
} from './constraints/constraint-work.ts'
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

/** Holds a parsed definition, or every violation with the pointer to it. */
export type DefinitionResult =
  | { readonly parsed: ParsedDefinition }
  | { readonly violations: readonly ProblemLocation[] }

/**
 * Parses a schema as it is declared. A definition with a violation is refused as a whole.
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
    return { violations: [{ pointer: '/schema', code: 'too_many_items', detail }] }
  }
  const violations = findNameViolations(entries.map(([key]) => key))
  const definition = new Map<string, KeyRule>()
  const secretDefaults = new Map<string, ConfigValue>()
  for (const [key, declaration] of entries) {
    const rule = toRule(declaration)
    const turn = work.begin(stepsOfRule(rule, declaration))
    if (turn !== undefined) await turn
    violations.push(...findRuleViolations(key, rule, declaration))
    definition.set(key, withoutSecretDefault(rule))
    if (rule.tier === 'secret' && rule.default !== undefined) secretDefaults.set(key, rule.default)
  }
  if (violations.length > 0) return { violations }
  const leftOut = entries.filter(([, key]) => key.default === undefined)
  const keysWith = (hasDefault: boolean) =>
    new Set(leftOut.filter(([, key]) => key.hasDefault === hasDefault).map(([key]) => key))
  const [keptDefaults, deletedDefaults] = [keysWith(true), keysWith(false)]
  const unsaid = new Map(
    entries.map(([key, said]) => [key, unsaidFields.filter((field) => said[field] === undefined)]),
  )
  return { parsed: { definition, secretDefaults, keptDefaults, deletedDefaults, unsaid } }
}

function findNameViolations(keys: readonly string[]): ProblemLocation[] {
  const violations: ProblemLocation[] = []
  const twins = new Map<string, string>()
  for (const key of keys) {
    const pointer = toJsonPointer(['schema', key])
    const violation = findKeyNameViolation(key)
    if (violation !== undefined)
      violations.push({ pointer, code: 'reserved_key', detail: violation })
    const twin = twins.get(key.toLowerCase())
    if (twin !== undefined) {
      const detail = `The name differs from "${twin}" only in case. Choose another name.`
      violations.push({ pointer, code: 'duplicate_key', detail })
    }
    twins.set(key.toLowerCase(), key)
  }
  return violations
}

function toRule(declared: KeyDefinition): KeyRule {
  const hasDefault = declared.default !== undefined || declared.hasDefault === true
  return {
    type: declared.type,
    tier: declared.tier ?? defaultTier(declared.type),
    required: declared.required ?? !hasDefault,
    hasDefault,
    ...(declared.description === undefined ? {} : { description: declared.description }),
    ...(declared.default === undefined ? {} : { default: toCanonical(declared.default) }),
    ...(declared.constraints === undefined ? {} : { constraints: declared.constraints }),
    ...(declared.partial === undefined ? {} : { partial: declared.partial }),
    ...toTargeting(declared),
    ...(declared.deprecated === true && { deprecated: true }),
    ...(declared.declaredIn === 'dashboard' && { declaredIn: 'dashboard' }),
    ...(declared.expectedToDiffer === true && { expectedToDiffer: true }),
    ...toNotes(declared),
  }
}

function toTargeting({ targeted, variants }: KeyDefinition) {
  return {
    ...(targeted === true && { targeted }),
    ...(variants !== undefined && { variants: [...variants] }),
  }
}

/** Returns the notes that say something. */
function toNotes({
  owner = '',
  tags = [],
  expires = '',
  killSwitch,
  variable = '',
  ...others
}: KeyDefinition) {
  return {
    ...(owner !== '' && { owner }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(expires !== '' && { expires }),
    ...(killSwitch === true && { killSwitch }),
    ...(variable !== '' && { variable }),
    ...toSecretNotes(others),
  }
}

function toSecretNotes({ rotateEvery = 0, runbook = '' }: Partial<KeyDefinition>) {
  return {
    ...(rotateEvery !== 0 && { rotateEvery }),
    ...(runbook !== '' && { runbook }),
  }
}

/** Counts the work even of constraints that are compiled already: the same definition is always or never refused. */
function stepsOfRule({ constraints = {} }: KeyRule, declared: KeyDefinition): number {
  const work = measureConstraints(constraints)
  return findWorkViolation(work, declared.type) === undefined
    ? compileSteps(work) + matchSteps(work, declared.default)
    : 0
}

function withoutSecretDefault({ default: value, ...rest }: KeyRule): KeyRule {
  return value === undefined || rest.tier === 'secret' ? rest : { ...rest, default: value }
}

/** Returns why the values of a key cannot be decided by rules as it is declared. */
function findTargetingViolations(
  { tier, targeted, variants }: KeyRule,
  at: (...path: (string | number)[]) => string,
): ProblemLocation[] {
  const violations: ProblemLocation[] = []
  if (targeted === true && tier !== 'public') {
    const detail =
      tier === 'secret'
        ? 'Only a public key can be targeted: rules are read by programs that may not read secrets. Leave "targeted" out.'
        : 'Every flag has rules. Leave "targeted" out.'
    violations.push({ pointer: at('targeted'), code: 'tier_mismatch', detail })
  }
  if (variants === undefined) return violations
  if (tier !== 'featureFlags') {
    const detail = 'Only a feature flag has variants. Use "targeted" for a public key.'
    return [...violations, { pointer: at('variants'), code: 'tier_mismatch', detail }]
  }
  const broken = findVariantViolations(variants).map(({ index, detail }): ProblemLocation => ({
    pointer: at('variants', ...(index === undefined ? [] : [index, 'name'])),
    code: 'validation_failed',
    detail,
  }))
  return [...violations, ...broken]
}

function findRuleViolations(
  key: string,
  rule: KeyRule,
  declared: KeyDefinition,
): ProblemLocation[] {
  const at = (...path: (string | number)[]) => toJsonPointer(['schema', key, ...path])
  const violations: ProblemLocation[] = []
  if (rule.tier === 'featureFlags' && rule.type !== 'boolean') {
    const detail =
      'A feature flag must be a boolean. Choose the tier public or secret for other types.'
    violations.push({ pointer: at('tier'), code: 'tier_mismatch', detail })
  }
  violations.push(...findTargetingViolations(rule, at))
  const broken = findConstraintViolations(rule.type, rule.constraints ?? {})
  for (const { path, ...violation } of broken) {
    violations.push({ pointer: at('constraints', ...path), ...violation })
  }
  for (const { path, ...violation } of findNoteViolations(declared, rule.tier)) {
    violations.push({ pointer: at(...path), ...violation })
  }
  if (declared.default === undefined) return violations
  if (declared.hasDefault === false) {
    const detail = 'The key also has a default. Leave one of the two out.'
    violations.push({ pointer: at('hasDefault'), code: 'validation_failed', detail })
  }
  if (standsForNothing(declared.default)) {
    const detail =
      'This text means no value: programs write it for a missing one. Choose another default, or leave it out, which makes the key required.'
    violations.push({ pointer: at('default'), code: 'validation_failed', detail })
  }
  const { constraints, ...unconstrained } = rule
  const checked = broken.length > 0 || constraints === undefined ? unconstrained : rule
  const violation = findValueViolation(checked, declared.default)
  return violation === undefined
    ? violations
    : [...violations, locateViolation(['schema', key, 'default'], violation)]
}
