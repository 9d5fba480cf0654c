import { limits, targetingKey } from '@signalbox/contract'
import type { FlagRules } from '../matrix.ts'
import { conditionTests, type Condition, type ConditionTest, type Test } from './condition-tests.ts'

/** Describes a condition while it is edited. */
export interface ConditionDraft {
  /** Identifies the draft while others are added and removed. */
  readonly id: number
  readonly attribute: string
  readonly test: ConditionTest
  readonly not: boolean
  /** Holds what a person typed as the value. */
  readonly text: string
}

/** Describes a rule while it is edited. */
export interface RuleDraft {
  readonly description: string
  readonly conditions: readonly ConditionDraft[]
  readonly serves: 'on' | 'off' | 'share'
  /** Holds what a person typed as the percentage. */
  readonly percent: string
  /** Names the attribute that decides who is in the share. */
  readonly by: string
}

/** Holds the errors of a draft: of the share, and of the conditions by their ids. */
export interface DraftErrors {
  readonly percent?: string
  readonly attributes: ReadonlyMap<number, string>
  readonly values: ReadonlyMap<number, string>
}

let lastId = 0

/** Returns a condition without an attribute. */
export function createCondition(attribute = ''): ConditionDraft {
  lastId += 1
  return { id: lastId, attribute, test: conditionTests[0], not: false, text: '' }
}

/** Returns the draft of a rule, or of a new one. */
export function toRuleDraft(rule: FlagRules[number]): RuleDraft {
  const { description = '', when, serve } = rule
  const share = typeof serve === 'boolean' ? { percent: 10 } : serve
  return {
    description,
    conditions: when.map(toConditionDraft),
    serves: typeof serve !== 'boolean' ? 'share' : serve ? 'on' : 'off',
    percent: String(share.percent),
    by: share.by ?? targetingKey,
  }
}

function toConditionDraft(condition: Condition): ConditionDraft {
  const draft = { ...createCondition(condition.attribute), not: condition.not === true }
  for (const test of conditionTests) {
    const text = test.toText(condition)
    if (text !== undefined) return { ...draft, test, text }
  }
  return draft
}

/** Returns the rule of a draft, or what is wrong with it. */
export function parseRuleDraft(
  draft: RuleDraft,
): { readonly rule: FlagRules[number] } | { readonly errors: DraftErrors } {
  const attributes = new Map<number, string>()
  const values = new Map<number, string>()
  const when: Condition[] = []
  for (const { id, attribute, test, not, text } of draft.conditions) {
    const parsed = test.parse(text)
    if (attribute.trim() === '') attributes.set(id, 'Name an attribute, such as country.')
    const fault = 'error' in parsed ? parsed.error : findLimitFault(parsed.test)
    if (fault !== undefined) values.set(id, fault)
    if ('test' in parsed)
      when.push({ attribute: attribute.trim(), ...parsed.test, ...(not && { not: true }) })
  }
  const serve = parseServe(draft)
  if (serve === undefined || attributes.size > 0 || values.size > 0) {
    const percent = 'Type a percentage from 0 to 100, with up to three decimals.'
    return { errors: { attributes, values, ...(serve === undefined && { percent }) } }
  }
  const description = draft.description.trim()
  return { rule: { ...(description !== '' && { description }), when, serve } }
}

/** Returns why the server would refuse the values of a test for their number or length. */
function findLimitFault(test: Test): string | undefined {
  const values = 'values' in test ? test.values : 'value' in test ? [test.value] : []
  if (values.length > limits.valuesPerCondition)
    return `Type at most ${limits.valuesPerCondition} values.`
  const isLong = values.some(
    (value) => typeof value === 'string' && value.length > limits.ruleTextCharacters,
  )
  return isLong ? `A value has at most ${limits.ruleTextCharacters} characters.` : undefined
}

function parseServe({ serves, percent, by }: RuleDraft): FlagRules[number]['serve'] | undefined {
  if (serves !== 'share') return serves === 'on'
  const share = Number(percent)
  const isShare = /^\d{1,3}(?:\.\d{1,3})?$/.test(percent.trim()) && share <= 100
  if (!isShare) return undefined
  const unit = by.trim()
  return { percent: share, ...(unit !== '' && unit !== targetingKey && { by: unit }) }
}

/** Returns the index of the first rule that decides for everyone, or the end of the list: no later rule is asked. */
export function findLastAsked(rules: FlagRules): number {
  const index = rules.findIndex(
    ({ when, serve }) =>
      when.length === 0 &&
      (typeof serve === 'boolean' || (serve.by ?? targetingKey) === targetingKey),
  )
  return index === -1 ? rules.length : index
}

/** Moves a rule to another place, and returns the list. */
export function moveRule(rules: FlagRules, from: number, to: number): FlagRules {
  const rest = rules.filter((_, index) => index !== from)
  const moved = rules[from]
  return moved === undefined ? rules : [...rest.slice(0, to), moved, ...rest.slice(to)]
}
