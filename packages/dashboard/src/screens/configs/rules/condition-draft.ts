import { limits, type ForeignDeal } from '@signalbox/contract'
import {
  conditionTests,
  segmentTest,
  toCondition,
  type Condition,
  type ConditionTest,
  type Test,
} from './condition-tests.ts'

/** Describes a condition while it is edited. */
export interface ConditionDraft {
  /** Identifies the draft while others are added and removed. */
  readonly id: number
  /** Names the attribute. A test for a segment has none. */
  readonly attribute: string
  readonly test: ConditionTest
  readonly not: boolean
  /** Holds what a person typed as the value, or the name of the segment. */
  readonly text: string
  /** Keeps the choice of another product while the condition is a share. */
  readonly deal: ForeignDeal | undefined
}

/** Holds the errors of conditions by the ids of their drafts. */
export interface ConditionErrors {
  readonly attributes: ReadonlyMap<number, string>
  readonly values: ReadonlyMap<number, string>
}

export const noConditionErrors: ConditionErrors = { attributes: new Map(), values: new Map() }

let lastId = 0

/** Returns a condition without an attribute. */
export function createCondition(attribute = ''): ConditionDraft {
  lastId += 1
  return { id: lastId, attribute, test: conditionTests[0], not: false, text: '', deal: undefined }
}

/** Returns a condition that asks for a segment, which is still to be chosen. */
export function createSegmentCondition(): ConditionDraft {
  return { ...createCondition(), test: segmentTest }
}

export function toConditionDraft(condition: Condition): ConditionDraft {
  const attribute = 'attribute' in condition ? condition.attribute : ''
  const deal = condition.operator === 'share' ? condition.deal : undefined
  const draft = { ...createCondition(attribute), not: condition.not === true, deal }
  for (const test of conditionTests) {
    const text = test.toText(condition)
    if (text !== undefined) return { ...draft, test, text }
  }
  return draft
}

/** Returns the conditions of drafts, or what is wrong with them. */
export function parseConditions(
  drafts: readonly ConditionDraft[],
): { readonly when: readonly Condition[] } | { readonly errors: ConditionErrors } {
  const attributes = new Map<number, string>()
  const values = new Map<number, string>()
  const when: Condition[] = []
  for (const { id, attribute: typed, test, not, text, deal } of drafts) {
    const attribute = typed.trim()
    const parsed = test.parse(text)
    const isNamed = test.field === 'segment' || attribute !== ''
    if (!isNamed) attributes.set(id, 'Name an attribute, such as country.')
    const violation = 'error' in parsed ? parsed.error : findLimitViolation(parsed.test)
    if (violation !== undefined) values.set(id, violation)
    if ('test' in parsed) when.push(toCondition(parsed.test, { attribute, not, deal }))
  }
  return attributes.size > 0 || values.size > 0 ? { errors: { attributes, values } } : { when }
}

/** Returns why the server would refuse the values of a test for their number or length. */
function findLimitViolation(test: Test): string | undefined {
  const values = 'values' in test ? test.values : 'value' in test ? [test.value] : []
  if (values.length > limits.valuesPerCondition)
    return `Type at most ${limits.valuesPerCondition} values.`
  const isLong = values.some(
    (value) => typeof value === 'string' && value.length > limits.ruleTextCharacters,
  )
  return isLong ? `A value has at most ${limits.ruleTextCharacters} characters.` : undefined
}
