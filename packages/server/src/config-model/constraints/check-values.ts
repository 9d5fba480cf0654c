import {
  isConfigValue,
  toCanonical,
  type ConfigValue,
  type ProblemLocation,
  typeOfValue,
} from '@signalbox/contract'
import { toJsonPointer } from '../../http/input/json-pointer.ts'
import { ownKeys, type CurrentValues } from '../current-values.ts'
import type { Definition } from '../definition.ts'
import type { ValueEdit } from '../edit-values.ts'
import type { KnownSegments } from '../known-segments.ts'
import { turnsOff } from '../segment-texts.ts'
import { checkRules, type RequestedRules } from './check-rules.ts'
import { findValueViolation, locateViolation, stepsOf, unknownKey } from './check-value.ts'
import { findCredentialViolations } from './plain-credentials.ts'
import { createCheckWork, type CheckWork } from './check-work.ts'

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
    if (violation !== undefined) violations.push(locateViolation([...path, key], violation))
    else if (isConfigValue(value)) values.set(key, toCanonical(value))
  }
  return violations.length > 0 ? { violations } : { values }
}

/** Comparing names costs time. A request full of unknown keys gets no more suggestions than a person would read. */
const advisedViolationsMax = 3

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
  /** Keys whose open values may have the form of a credential. */
  readonly allowPlain: ReadonlySet<string>
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
  { set, rules, remove, keptKeys, allowPlain }: RequestedEdit,
  { work = createCheckWork(), ...source }: EditSource = plainSource,
): Promise<{ readonly edit: ValueEdit } | { readonly violations: readonly ProblemLocation[] }> {
  const removed = remove === 'others' ? remove : new Set(remove)
  const stays = (key: string) =>
    removed !== 'others' &&
    !removed.has(key) &&
    typeOfValue(current.openValues[key]?.value) === definition.get(key)?.type
  const valueOf = (key: string) =>
    Object.hasOwn(set, key) ? set[key] : stays(key) ? current.openValues[key]?.value : undefined
  const checked = await checkValues(definition, set, source.set, work)
  const ruled = await checkRules(rules, { definition, segments, valueOf, path: source.rules, work })
  const violations = [
    ...('violations' in checked ? checked.violations : []),
    ...('violations' in ruled ? ruled.violations : []),
    ...(remove === 'others'
      ? []
      : findRemoveViolations({ definition, current }, set, remove, source)),
    ...findTurnedOffViolations(current, set, rules, source.set),
  ]
  if (!('values' in checked) || !('rules' in ruled)) return { violations }
  const edit = { set: checked.values, rules: ruled.rules, remove: removed, keptKeys }
  violations.push(...findCredentialViolations(definition, current, edit, { ...source, allowPlain }))
  return violations.length === 0 ? { edit } : { violations }
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
