import { isJsonValue, sameValue, toShortText } from '../values/json-value.ts'
import { bucketsTotal } from './bucketing.ts'
import { parseVersionRange, type VersionRange } from './compile-condition.ts'
import { dealingNames, type Dealing, type ForeignDeal } from './dealings/foreign-deal.ts'
import { divideServe, type Share } from './divide-serve.ts'
import {
  targetingKey,
  type AttributeCondition,
  type FlagCondition,
  type FlagRule,
  type Serve,
  type ShareCondition,
  type TextOperator,
} from './flag-rules.ts'
import { isTurnedOff, turnOn, type OwnFlag } from './turn-flag.ts'

/** Describes a flag, or a targeted key, in one environment, for its words. */
export interface FlagState {
  /** Holds the value that is served when no rule decides. Absent: there is none. */
  readonly value?: unknown
  readonly rules?: readonly FlagRule[] | undefined
}

/** Describes a change of a flag, as `ValueChange` of the API has it. */
export interface FlagChange {
  readonly change: 'added' | 'changed' | 'removed'
  readonly before?: unknown
  readonly after?: unknown
  readonly rulesBefore?: readonly FlagRule[] | undefined
  readonly rulesAfter?: readonly FlagRule[] | undefined
  /** Names the segments that changed. The rules refer to them, and stay as they are. */
  readonly segments?: readonly string[] | undefined
}

/** Returns whether a change is one of a flag, or of a key with rules, so that its words name them. */
export function hasRuledKey({
  tier,
  rulesBefore,
  rulesAfter,
}: {
  readonly tier: string
  readonly rulesBefore?: unknown
  readonly rulesAfter?: unknown
}): boolean {
  return tier === 'featureFlags' || rulesBefore !== undefined || rulesAfter !== undefined
}

/** Limits the parts of a state that are named. The others are counted. */
const partsNamed = 3

/** Limits the values of a condition that are named. The others are counted. */
const valuesNamed = 5

/**
 * Returns the state of a flag in a few words, in the order of its rules. Examples: `off`, `on for staff, 10%`, `off where
 * country is DE, otherwise on`, `not set`.
 */
export function describeFlag({ value, rules = [] }: FlagState): string {
  if (isTurnedOff(rules)) return describeTurnedOff(turnOn(rules))
  // Rules need a value of the flag itself, so there are none without one.
  if (value === undefined && rules.length === 0) return 'not set'
  if (!servesSwitch(value, rules)) return describeTargeted(value, rules)
  const { parts, rest } = toParts(value === true, rules)
  if (parts.length === 0) return rest ? 'on' : 'off'
  const named = groupParts(parts.slice(0, partsNamed)).join(', ')
  const more = parts.length - partsNamed
  return `${named}${more > 0 ? ` and ${more} more` : ''}${rest ? ', otherwise on' : ''}`
}

/** Returns whether a key is on or off, whatever rule decides, and has no variants. */
function servesSwitch(value: unknown, rules: readonly FlagRule[]): boolean {
  return (
    (value === undefined || typeof value === 'boolean') &&
    rules.every(({ serve }) => typeof serve === 'boolean' || 'percent' in serve)
  )
}

/**
 * Returns the value for everyone else, and what rules serve before it. Examples: `12 · 50 for enterprise`, `off · blue for 50%
 * of staff, control for 50% of staff`.
 */
function describeTargeted(value: unknown, rules: readonly FlagRule[]): string {
  const parts: string[] = []
  let rest: string | undefined = describeOwn(value)
  for (const rule of rules) {
    const { shares, by } = divideServe(rule.serve)
    const isAllUsers = rule.when.length === 0
    if (isAllUsers && by === undefined) rest = describeServed(shares[0].served)
    else parts.push(...shares.map((share) => describePart(rule, share, by)))
    // Nobody with a targeting key comes past a division of everyone.
    if (isAllUsers && by === targetingKey) rest = undefined
    if (isAllUsers && (by === undefined || by === targetingKey)) break
  }
  if (parts.length === 0) return rest ?? ''
  return [...(rest === undefined ? [] : [rest]), joinParts(parts)].join(' · ')
}

/** Returns what a rule serves to a share of its audience. Example: `50 for 10% of staff`. */
function describePart(rule: FlagRule, share: Share, by: string | undefined): string {
  const served = describeServed(share.served)
  const audience = toAudience(rule)
  if (by === undefined) {
    return audience.startsWith(where) ? `${served} ${audience}` : `${served} for ${audience}`
  }
  const part = `${served} for ${describeShare({ percent: percentOf(share), by })}`
  if (rule.when.length === 0 && rule.description === undefined) return part
  return audience.startsWith(where) ? `${part} ${audience}` : `${part} of ${audience}`
}

function percentOf({ from, below }: Share): number {
  return ((below - from) * 100) / bucketsTotal
}

/** Returns the value of a key in a word: an object is none that serves something. */
function describeOwn(value: unknown): string {
  return isJsonValue(value) ? toWord(value) : describeServed(value)
}

/** Returns a value, or what a rule serves, in a word. Examples: `on`, `12`, `blue`. */
function describeServed(served: unknown): string {
  if (typeof served === 'boolean') return served ? 'on' : 'off'
  if (typeof served !== 'object' || served === null) return toWord(served)
  if ('variant' in served) return toWord(served.variant)
  return 'value' in served && typeof served.value !== 'boolean'
    ? toWord(served.value)
    : String('value' in served && served.value)
}

/** Returns the state of a flag that is turned off, with what is kept aside. Example: `off (on for 25% waits)`. */
function describeTurnedOff(waiting: OwnFlag | undefined): string {
  const words = waiting === undefined ? 'off' : describeFlag(waiting)
  return words === 'off' ? 'off' : `off (${words} waits)`
}

/** Describes a group of contexts that a rule decides for. */
interface Part {
  readonly served: boolean
  /** Says that the group is a share, whose others get the opposite. */
  readonly isShare: boolean
  readonly audience: string
}

/** Returns the groups in the order of the rules, and the value for everyone else. */
function toParts(value: boolean, rules: readonly FlagRule[]) {
  const parts: Part[] = []
  let rest = value
  for (const rule of rules) {
    const isAllUsers = rule.when.length === 0
    const { shares, by } = divideServe(rule.serve)
    const served = shares[0].served === true
    if (by !== undefined) {
      parts.push({ served: true, isShare: true, audience: toShare(rule, shares[0], by) })
      // Nobody with a targeting key comes past a share of everyone.
      if (isAllUsers && by === targetingKey) rest = false
      else continue
    } else if (isAllUsers) rest = served
    else {
      parts.push({ served, isShare: false, audience: toAudience(rule) })
      continue
    }
    break
  }
  const last = parts.findLastIndex((part) => part.isShare || part.served !== rest)
  return { parts: parts.slice(0, last + 1), rest }
}

/** Joins neighbours that get the same. Example: `on for staff, 10%`. */
function groupParts(parts: readonly Part[]): readonly string[] {
  return parts.map(({ served, audience }, index) => {
    const isSame = parts[index - 1]?.served === served
    if (isSame) return audience
    const state = served ? 'on' : 'off'
    return audience.startsWith(where) ? `${state} ${audience}` : `${state} for ${audience}`
  })
}

function toShare(rule: FlagRule, on: Share, by: string): string {
  const share = describeShare({ percent: percentOf(on), by })
  if (rule.when.length === 0 && rule.description === undefined) return share
  const audience = toAudience(rule)
  return audience.startsWith(where) ? `${share} ${audience}` : `${share} of ${audience}`
}

/** Returns the share of a rollout. Examples: `10%`, `10% by accountId`. */
function describeShare({ percent, by }: { readonly percent: number; readonly by: string }): string {
  return by === targetingKey ? `${percent}%` : `${percent}% by ${by}`
}

/** Begins an audience that has conditions and no name. */
const where = 'where '

/** Returns the name that a person gave a rule, the segments that it requires, or its conditions: `where country is DE`. */
function toAudience({ description, when }: FlagRule): string {
  if (description !== undefined && description !== '') return description
  if (when.length === 0) return 'everyone'
  const shares = when.filter(isPlainShare).map(describeShareOf)
  const others = when.filter((condition) => !isPlainShare(condition))
  const segments = others.flatMap(toSegment)
  if (segments.length === others.length) {
    return [...shares, ...(segments.length > 0 ? [segments.join(' and ')] : [])].join(' of ')
  }
  return [shares.join(' of '), `${where}${others.map(describeCondition).join(' and ')}`]
    .filter((part) => part !== '')
    .join(' ')
}

/** Returns whether a condition is a share that is not negated. */
function isPlainShare(condition: FlagCondition): condition is ShareCondition {
  return condition.operator === 'share' && condition.not !== true
}

function describeShareOf({ percent, attribute }: ShareCondition): string {
  return describeShare({ percent, by: attribute })
}

/** Returns the segment that a condition requires, if it requires one. */
function toSegment(condition: FlagCondition): string[] {
  const isInSegment = condition.operator === 'segment' && condition.not !== true
  return isInSegment ? [condition.segment] : []
}

function joinParts(parts: readonly string[]): string {
  const named = parts.slice(0, partsNamed)
  const more = parts.length - named.length
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
}

/**
 * Returns a rule as a sentence. Examples: `On for 10% where country is none of DE, AT`, `Serves 50 for segment enterprise`. Its
 * name is not part of it.
 */
export function describeRule({ when, serve }: FlagRule): string {
  const [segment] = when.length === 1 ? when.flatMap(toSegment) : []
  const isShare = typeof serve === 'object' && ('percent' in serve || 'split' in serve)
  const state = describeServe(serve)
  if (segment !== undefined) return `${state} ${isShare ? 'of' : 'for'} segment ${segment}`
  if (when.length === 0) return `${state} ${isShare ? 'of' : 'for'} everyone`
  return `${state} ${where}${when.map(describeCondition).join(' and ')}`
}

function describeServe(serve: Serve): string {
  if (typeof serve === 'boolean') return serve ? 'On' : 'Off'
  const { shares, by = targetingKey } = divideServe(serve)
  if ('percent' in serve) {
    return `On for ${describeShare({ percent: serve.percent, by: serve.by ?? targetingKey })}`
  }
  if (!('split' in serve)) return `Serves ${describeServed(serve)}`
  const parts = shares.map(
    (share) =>
      `${describeServed(share.served)} for ${describeShare({ percent: percentOf(share), by })}`,
  )
  return `Serves ${parts.join(', ')}`
}

/**
 * Returns a condition in words. Examples: `plan is pro`, `appVersion is not version 2.1.0 or newer`, `in segment staff`,
 * `targetingKey is in the first 10% (assigned as in LaunchDarkly)`.
 */
export function describeCondition(condition: FlagCondition): string {
  if (condition.operator === 'segment') {
    return `${condition.not === true ? 'not in' : 'in'} segment ${condition.segment}`
  }
  return `${condition.attribute} ${describeTest(condition)}`
}

function describeTest(condition: AttributeCondition): string {
  const { not } = condition
  if (condition.operator === 'exists') return not === true ? 'is missing' : 'is present'
  if (condition.operator === 'in') return describeList(condition.values, not === true)
  if (isTextCondition(condition)) {
    return `${textWords[condition.operator][not === true ? 1 : 0]} ${toWord(condition.value)}`
  }
  return `${not === true ? 'is not' : 'is'} ${describeValue(condition)}`
}

type TextCondition = Extract<AttributeCondition, { operator: TextOperator }>

function isTextCondition(condition: AttributeCondition): condition is TextCondition {
  return condition.operator in textWords
}

type ValueCondition = Exclude<AttributeCondition, TextCondition | { operator: 'exists' | 'in' }>

function describeValue(condition: ValueCondition): string {
  switch (condition.operator) {
    case 'equals':
      return toWord(condition.value)
    case 'share':
      return `in the first ${condition.percent}%${describeDeal(condition.deal)}`
    case 'semver':
      return describeRange(condition.value)
    case 'greater':
    case 'greaterOrEqual':
    case 'less':
    case 'lessOrEqual':
      return `${numberWords[condition.operator]} ${condition.value}`
    default:
      // The server may be newer than the reader of its rules.
      condition satisfies never
      return '(a condition that this version doesn’t know)'
  }
}

function describeDeal(deal: ForeignDeal | undefined): string {
  return deal === undefined ? '' : ` (assigned as in ${nameDealing(deal.as)})`
}

/** Returns the name of a product as people write it. The server may know more than the reader of its rules. */
function nameDealing(as: Dealing): string {
  return Object.hasOwn(dealingNames, as) ? dealingNames[as] : as
}

const textWords = {
  startsWith: ['starts with', 'does not start with'],
  endsWith: ['ends with', 'does not end with'],
  contains: ['contains', 'does not contain'],
} as const

const numberWords = {
  greater: 'more than',
  greaterOrEqual: 'at least',
  less: 'less than',
  lessOrEqual: 'at most',
} as const

function describeList(values: readonly (string | number | boolean)[], not: boolean): string {
  const [first] = values
  if (values.length === 1 && first !== undefined) {
    return `${not ? 'is not' : 'is'} ${toWord(first)}`
  }
  const named = values.slice(0, valuesNamed).map(toWord).join(', ')
  const more = values.length - valuesNamed
  return `${not ? 'is none of' : 'is one of'} ${named}${more > 0 ? ` and ${more} more` : ''}`
}

const rangeWords: Readonly<Record<VersionRange['comparator'], (version: string) => string>> = {
  '>=': (version) => `version ${version} or newer`,
  '>': (version) => `newer than version ${version}`,
  '<=': (version) => `version ${version} or older`,
  '<': (version) => `older than version ${version}`,
  '=': (version) => `version ${version}`,
}

function describeRange(text: string): string {
  const range = parseVersionRange(text)
  if (range === undefined) return `version ${text}`
  return rangeWords[range.comparator](text.replace(/^[<>=]+\s*/, ''))
}

/** Returns a value as it is read. A text that looks like another type, or like none, is quoted. */
function toWord(value: unknown): string {
  if (isJsonValue(value)) return toShortText(value)
  if (typeof value !== 'string') return String(value)
  const isPlain = value === value.trim() && value !== '' && !/^(?:true|false|[-+.\d]+)$/.test(value)
  return isPlain ? value : JSON.stringify(value)
}

const sourceWords: Readonly<Record<FlagChange['change'], string>> = {
  added: 'set here, same value',
  changed: 'changed, same value',
  removed: 'no longer set here, same value',
}

/**
 * Returns a change of a flag in words, without its name. Examples: `off → on for 10%`, `rules changed: on where plan is
 * pro`, `segment staff changed: on for staff`, `set here, same value`.
 */
export function describeFlagChange(flagChange: FlagChange): string {
  const { change, before, after, rulesBefore = [], rulesAfter = [], segments = [] } = flagChange
  if (before === undefined && after === undefined) return sourceWords[change]
  const from = describeFlag({ value: before, rules: rulesBefore })
  const to = describeFlag({ value: after, rules: rulesAfter })
  // A long JSON value is cut in both.
  const isOther = isJsonValue(after) && !sameValue(before, after)
  if (from !== to || isOther) return `${from} → ${to}`
  return (
    describeRuleChange(rulesBefore, rulesAfter) ??
    (segments.length > 0 ? describeSegmentChange(segments, to) : `still ${to}`)
  )
}

function describeSegmentChange(segments: readonly string[], state: string): string {
  return `${segments.length === 1 ? 'segment' : 'segments'} ${joinParts(segments)} changed: ${state}`
}

/** Describes rules that read the same in short. */
function describeRuleChange(
  before: readonly FlagRule[],
  after: readonly FlagRule[],
): string | undefined {
  const was = before.map(toSentence)
  const is = after.map(toSentence)
  const added = is.filter((rule) => !was.includes(rule))
  if (added.length > 0) return `rules changed: ${joinParts(added)}`
  const removed = was.filter((rule) => !is.includes(rule))
  if (removed.length > 0) return `rules removed: ${joinParts(removed)}`
  return JSON.stringify(before) === JSON.stringify(after)
    ? undefined
    : `rules reordered: ${joinParts(is)}`
}

function toSentence(rule: FlagRule): string {
  const sentence = describeRule(rule)
  const text = `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`
  return rule.description === undefined ? text : `${rule.description} (${text})`
}
