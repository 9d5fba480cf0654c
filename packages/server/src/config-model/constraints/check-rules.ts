import {
  limits,
  listSegmentNames,
  normalizeRules,
  takesRules,
  type FlagRule,
  type ProblemLocation,
} from '@signalbox/contract'
import type { ShownRules } from '@signalbox/contract/rest'
import type { Definition, KeyRule } from '../definition.ts'
import type { RulesByKey } from '../edit-values.ts'
import { findSegmentViolation, type KnownSegments } from '../known-segments.ts'
import { turnsOff } from '../segment-texts.ts'
import { locateViolation, unknownKey, type ValueViolation } from './check-value.ts'
import type { CheckWork } from './check-work.ts'
import { findServedViolations, type ServedViolation } from './served-values.ts'

/**
 * Maps a flag to the rules that a request gives it, in the form that the contract declares; `null` removes its rules.
 */
export type RequestedRules = Readonly<Record<string, readonly FlagRule[] | null>>

/** Holds rules that may be stored, or every violation with the pointer to its flag. */
type CheckedRules =
  | { readonly rules: RulesByKey }
  | { readonly violations: readonly ProblemLocation[] }

/** Reads rules from their stored text, which was checked when it was written. */
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
  readonly work: CheckWork
}

/**
 * Checks that rules are given for keys that take rules, that each of these keys has a value, that what they serve may be its value,
 * and that the segments exist that they refer to.
 *
 * @throws {Problem} `validation_failed` when it is too much work
 */
export async function checkRules(input: RequestedRules, check: CheckRules): Promise<CheckedRules> {
  const rules = new Map<string, string | null>()
  const violations: ProblemLocation[] = []
  for (const [key, requested] of Object.entries(input)) {
    const isRemoved = requested === null || requested.length === 0
    const list = isRemoved ? [] : normalizeRules(requested)
    const text = isRemoved ? null : JSON.stringify(list)
    const ofKey = await findViolations(key, { list, text }, check)
    violations.push(
      ...ofKey.map(({ at = [], ...violation }) =>
        locateViolation([...check.path, key, ...at], violation),
      ),
    )
    rules.set(key, text)
  }
  return violations.length > 0 ? { violations } : { rules }
}

interface ReadRules {
  readonly list: readonly FlagRule[]
  /** The text to store; `null` for no rules. */
  readonly text: string | null
}

type RuleViolation = Omit<ServedViolation, 'at'> & Partial<Pick<ServedViolation, 'at'>>

async function findViolations(
  key: string,
  { list, text }: ReadRules,
  { definition, segments, valueOf, work }: CheckRules,
): Promise<readonly RuleViolation[]> {
  const rule = definition.get(key)
  if (rule === undefined) return [unknownKey(definition, key)]
  const violation =
    findTierViolation(rule) ??
    (text === null
      ? undefined
      : (findRulesViolation({ list, text }, valueOf(key)) ?? findSegmentViolation(text, segments)))
  return violation === undefined ? findServedViolations(rule, list, work) : [violation]
}

function findTierViolation(rule: KeyRule): ValueViolation | undefined {
  if (takesRules(rule)) return undefined
  const detail =
    rule.tier === 'secret'
      ? 'Only feature flags and targeted public keys have rules. Leave this key out.'
      : 'This key isn’t targeted. Declare it as targeted in its schema, or leave its rules out.'
  return { code: 'tier_mismatch', detail }
}

/** Holds more than the text of a rule that turns a flag off, so that no limit keeps a flag from being turned off. */
const offRuleBytes = 64

/** Holds the bytes of an id with its name. It doesn't count, so that what was read can be sent back. */
const idBytes = '"id":"rul_01jd2m4x9k0000000000000000",'.length

function findRulesViolation(
  { list, text }: { readonly list: readonly FlagRule[]; readonly text: string },
  value: unknown,
): ValueViolation | undefined {
  const isOff = turnsOff(text)
  const ids = list.filter(({ id }) => id !== undefined).length
  if (Buffer.byteLength(text) - ids * idBytes > limits.valueBytes + (isOff ? offRuleBytes : 0)) {
    const detail = `The rules of a key may have at most ${limits.valueBytes} bytes. Use fewer or shorter rules.`
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
