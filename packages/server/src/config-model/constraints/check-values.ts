import {
  findLimitViolation,
  keyNamePattern,
  limits,
  listSegmentNames,
  nearestName,
  normalizeRules,
  type ConfigValue,
  type FlagRule,
  type ProblemLocation,
} from '@signalbox/contract'
import type { ShownRules } from '@signalbox/contract/rest'
import { toJsonPointer } from '../../http/input/json-pointer.ts'
import { createCheckWork, type CheckWork } from './check-work.ts'
import { compileConstraints } from './compile-constraints.ts'
import { matchSteps, measureConstraints } from './constraint-work.ts'
import { isConfigValue } from './constraint-vocabulary.ts'
import type { Definition, KeyRule } from '../definition.ts'
import { findSegmentViolation, type KnownSegments } from '../known-segments.ts'
import { ownKeys, type CurrentValues } from '../current-values.ts'
import type { RulesByKey, ValueEdit } from '../edit-values.ts'
import { turnsOff } from '../segment-texts.ts'

/** Describes what is wrong with a value and what to do. It never repeats the value, which may be a secret. */
export type ValueViolation = Omit<ProblemLocation, 'pointer'>

/** Returns what is wrong with `value` as the value of a key, or `undefined`. */
export function findValueViolation(rule: KeyRule, value: unknown): ValueViolation | undefined {
  if (!isConfigValue(value) || typeof value !== rule.type) {
    return { code: 'type_mismatch', detail: `Use a ${rule.type}.` }
  }
  return findLimitViolation(value) ?? findConstraintViolation(rule, value)
}

/** Returns the steps (of `CheckWork`) that checking a value costs. */
export function stepsOf(rule: KeyRule | undefined, value: unknown): number {
  return rule?.constraints === undefined
    ? 1
    : 1 + matchSteps(measureConstraints(rule.constraints), value)
}

function findConstraintViolation(rule: KeyRule, value: ConfigValue): ValueViolation | undefined {
  if (rule.constraints === undefined) return undefined
  const detail = compileConstraints(rule.type, rule.constraints)(value)
  return detail === undefined ? undefined : { code: 'schema_violation', detail }
}

/** Holds values that may be stored, or every violation with the pointer to its value. */
type CheckedValues =
  | { readonly values: ReadonlyMap<string, ConfigValue> }
  | { readonly violations: readonly ProblemLocation[] }

/**
 * Checks the values of a request key by key. `path` leads to them in the request.
 *
 * @throws {Problem} `validation_failed` when it is too much work
 */
export async function checkValues(
  definition: Definition,
  input: Readonly<Record<string, unknown>>,
  path: readonly string[] = ['values'],
  work: CheckWork = createCheckWork(),
): Promise<CheckedValues> {
  const values = new Map<string, ConfigValue>()
  const violations: ProblemLocation[] = []
  for (const [key, value] of Object.entries(input)) {
    const rule = definition.get(key)
    const turn = work.begin(stepsOf(rule, value))
    if (turn !== undefined) await turn
    const violation =
      rule === undefined
        ? unknownKey(violations.length < advisedViolationsMax ? definition : undefined, key)
        : findValueViolation(rule, value)
    if (violation !== undefined)
      violations.push({ pointer: toJsonPointer([...path, key]), ...violation })
    else if (isConfigValue(value)) values.set(key, value)
  }
  return violations.length > 0 ? { violations } : { values }
}

/** Comparing names costs time. A request full of unknown keys gets no more suggestions than a person would read. */
const advisedViolationsMax = 3

/**
 * Returns the violation of a key that the schema does not have. It suggests the key of `definition` with the most similar
 * name.
 */
export function unknownKey(definition: Definition | undefined, key: string): ValueViolation {
  const similar = [...(definition?.keys() ?? [])].filter(
    (known) => Math.abs(known.length - key.length) <= 3,
  )
  const nearest = keyNamePattern.test(key) ? nearestName(key, similar) : undefined
  const advice =
    nearest === undefined ? 'Add it to the schema first.' : `Did you mean "${nearest}"?`
  return { code: 'unknown_key', detail: `The schema has no such key. ${advice}` }
}

/**
 * Maps a flag to the rules that a request gives it, in the form that the contract declares; `null` removes its rules.
 */
export type RequestedRules = Readonly<Record<string, readonly FlagRule[] | null>>

/** Holds rules that may be stored, or every violation with the pointer to its flag. */
type CheckedRules =
  | { readonly rules: RulesByKey }
  | { readonly violations: readonly ProblemLocation[] }

/** Reads the rules of a flag from their stored text, which was checked when it was written. */
export function readRules(text: string): ShownRules {
  const rules: ShownRules = JSON.parse(text)
  return rules
}

/** Returns the names of the segments that rules of a request refer to. */
export function segmentsOf(input: RequestedRules): readonly string[] {
  return Object.values(input).flatMap((list) => (list === null ? [] : listSegmentNames(list)))
}

interface CheckRules {
  readonly definition: Definition
  readonly segments: KnownSegments
  /** Returns the value that the environment sets itself after the write. */
  readonly valueOf: (key: string) => unknown
  /** Leads to the rules in the request. */
  readonly path: readonly string[]
}

/**
 * Checks that rules are given for flags only, that each of these flags has a value, and that the segments exist that they
 * refer to.
 */
function checkRules(
  input: RequestedRules,
  { definition, segments, valueOf, path }: CheckRules,
): CheckedRules {
  const rules = new Map<string, string | null>()
  const violations: ProblemLocation[] = []
  for (const [key, list] of Object.entries(input)) {
    const isRemoved = list === null || list.length === 0
    const text = isRemoved ? null : JSON.stringify(normalizeRules(list))
    const violation =
      findFlagViolation(definition, key) ??
      (text === null
        ? undefined
        : (findRulesViolation(text, valueOf(key)) ?? findSegmentViolation(text, segments)))
    if (violation !== undefined)
      violations.push({ pointer: toJsonPointer([...path, key]), ...violation })
    rules.set(key, text)
  }
  return violations.length > 0 ? { violations } : { rules }
}

function findFlagViolation(definition: Definition, key: string): ValueViolation | undefined {
  const rule = definition.get(key)
  if (rule === undefined) return unknownKey(definition, key)
  if (isFlag(rule)) return undefined
  return { code: 'tier_mismatch', detail: 'Only feature flags have rules. Leave this key out.' }
}

/** Returns whether a key is a feature flag. `undefined`, a key that the schema does not have, is none. */
export function isFlag(rule: KeyRule | undefined): boolean {
  return rule?.tier === 'featureFlags'
}

/** Holds more than the text of a rule that turns a flag off, so that no limit keeps a flag from being turned off. */
const offRuleBytes = 64

function findRulesViolation(text: string, value: unknown): ValueViolation | undefined {
  const isOff = turnsOff(text)
  if (Buffer.byteLength(text) > limits.valueBytes + (isOff ? offRuleBytes : 0)) {
    const detail = `The rules of a flag may have at most ${limits.valueBytes} bytes. Use fewer or shorter rules.`
    return { code: 'value_too_large', detail }
  }
  if (isOff && value === true) return { code: 'validation_failed', detail: offNeedsFalse }
  if (value !== undefined) return undefined
  const detail =
    'Rules need a value in this environment, which applies where no rule decides. Add one to "values" too.'
  return { code: 'validation_failed', detail }
}

const offNeedsFalse =
  'These rules turn the flag off, and its value is true. Set the value to false, or leave out the rule with "aside".'

/** Returns the violations of values that would be no more than stored: their flags are turned off. */
function findTurnedOffViolations(
  { openValues }: CurrentValues,
  set: RequestedEdit['set'],
  rules: RequestedRules,
  path: readonly string[],
): ProblemLocation[] {
  return Object.entries(set).flatMap(([key, value]) => {
    const isOff = value === true && turnsOff(openValues[key]?.rules)
    if (!isOff || Object.hasOwn(rules, key)) return []
    const detail = `${key} is turned off here. Turn it on ("turn": { "${key}": "on" } of POST …/config-changes, or signalbox turn on ${key}), or send its rules too: [] for none.`
    return [{ pointer: toJsonPointer([...path, key]), code: 'validation_failed' as const, detail }]
  })
}

/** Describes an edit of one environment as a request gives it. */
export interface RequestedEdit {
  readonly set: Readonly<Record<string, unknown>>
  readonly rules: RequestedRules
  /** `'others'`: every key that neither `set` nor `keptKeys` names. */
  readonly remove: readonly string[] | 'others'
  /** Keys that stay as they are, with their rules. */
  readonly keptKeys?: ReadonlySet<string>
}

/** Describes where the request holds the parts of an edit, and how much checking it may still cause. */
export interface EditSource {
  readonly set: readonly string[]
  readonly rules: readonly string[]
  readonly remove: readonly string[]
  readonly work?: CheckWork
}

const plainSource: EditSource = { set: ['values'], rules: ['rules'], remove: [] }

/** Describes what an edit is checked against. */
export interface EditTarget {
  readonly definition: Definition
  readonly current: CurrentValues
  /** Those that the rules of the edit refer to, if they exist. */
  readonly segments: KnownSegments
}

/**
 * Checks an edit of one environment. Returns the edit to apply, or every violation with the pointer to its part of the
 * request.
 *
 * @throws {Problem} `validation_failed` when it is too much work
 */
export async function checkEdit(
  { definition, current, segments }: EditTarget,
  { set, rules, remove, keptKeys }: RequestedEdit,
  source: EditSource = plainSource,
): Promise<{ readonly edit: ValueEdit } | { readonly violations: readonly ProblemLocation[] }> {
  const removed = remove === 'others' ? remove : new Set(remove)
  const stays = (key: string) =>
    removed !== 'others' && !removed.has(key) && typeof current.openValues[key]?.value === 'boolean'
  const valueOf = (key: string) =>
    Object.hasOwn(set, key) ? set[key] : stays(key) ? current.openValues[key]?.value : undefined
  const checked = await checkValues(definition, set, source.set, source.work)
  const ruled = checkRules(rules, { definition, segments, valueOf, path: source.rules })
  const violations = [
    ...('violations' in checked ? checked.violations : []),
    ...('violations' in ruled ? ruled.violations : []),
    ...(remove === 'others'
      ? []
      : findRemoveViolations({ definition, current }, set, remove, source)),
    ...findTurnedOffViolations(current, set, rules, source.set),
  ]
  return 'values' in checked && 'rules' in ruled && violations.length === 0
    ? { edit: { set: checked.values, rules: ruled.rules, remove: removed, keptKeys } }
    : { violations }
}

function findRemoveViolations(
  { definition, current }: { readonly definition: Definition; readonly current: CurrentValues },
  set: RequestedEdit['set'],
  remove: readonly string[],
  source: EditSource,
): ProblemLocation[] {
  const stored = new Set(ownKeys(current))
  return remove.flatMap((key, index) => {
    const pointer = toJsonPointer([...source.remove, String(index)])
    if (Object.hasOwn(set, key)) {
      const detail = `The same request sets ${key}. Name it in "set" or in "unset", not both.`
      return [{ pointer, code: 'validation_failed' as const, detail }]
    }
    if (definition.has(key) || stored.has(key)) return []
    return [{ pointer, ...unknownKey(definition, key) }]
  })
}
