import { explainNoVersion, parseVersionRange, type ForeignDeal } from '@signalbox/contract'
import type { FlagRules } from '../matrix.ts'

/** Describes a condition of a rule. */
export type Condition = FlagRules[number]['when'][number]

type Content<Each> = Each extends unknown ? Omit<Each, 'attribute' | 'not'> : never
/** Describes the test of a condition, without its attribute. */
export type Test = Content<Condition>

/** Describes what a condition has beside its test. */
interface Surroundings {
  readonly attribute: string
  readonly not: boolean
  /** Keeps the choice of another product, for a share. */
  readonly deal: ForeignDeal | undefined
}

/** Returns the condition of a test. A test for a segment has no attribute. */
export function toCondition(test: Test, { attribute, not, deal }: Surroundings): Condition {
  const negation = not ? ({ not: true } as const) : {}
  if (test.operator === 'share') {
    return { attribute, ...test, ...(deal !== undefined && { deal }), ...negation }
  }
  return test.operator === 'segment'
    ? { ...test, ...negation }
    : { attribute, ...test, ...negation }
}

type Parsed = { readonly test: Test } | { readonly error: string }

/** Names the types of an attribute, by which the editor groups its tests. */
export type TestGroup =
  | 'Text'
  | 'Number'
  | 'Version'
  | 'Yes or no'
  | 'Any type'
  | 'Share'
  | 'Segment'

/** Describes a test that the editor offers. */
export interface ConditionTest {
  readonly id: string
  readonly group: TestGroup
  /** Holds the words of the test, and those of its negation. */
  readonly words: readonly [holds: string, not: string]
  /** Says how the value is typed. `none`: the test needs no value; `segment`: a segment is chosen. */
  readonly field: 'text' | 'number' | 'lines' | 'none' | 'segment'
  readonly placeholder?: string
  /** Reads what a person typed. */
  readonly parse: (text: string) => Parsed
  /** Returns the text that `parse` reads. `undefined`: the condition is another test. */
  readonly toText: (condition: Condition) => string | undefined
}

const toLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function parseNumber(text: string): number | undefined {
  const number = Number(text.trim())
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number
}

function textTest(
  operator: 'startsWith' | 'endsWith' | 'contains',
  words: readonly [string, string],
) {
  return {
    id: operator,
    group: 'Text',
    words,
    field: 'text',
    parse: (text) => (text === '' ? typeText : { test: { operator, value: text } }),
    toText: (condition) => (condition.operator === operator ? condition.value : undefined),
  } as const satisfies ConditionTest
}

const typeText = { error: 'Type the text to compare with.' }
const typeNumber = { error: 'Type a number, such as 5 or 2.5.' }

function numberTest(
  operator: 'greater' | 'greaterOrEqual' | 'less' | 'lessOrEqual',
  words: readonly [string, string],
) {
  return {
    id: operator,
    group: 'Number',
    words,
    field: 'number',
    parse(text) {
      const value = parseNumber(text)
      return value === undefined ? typeNumber : { test: { operator, value } }
    },
    toText: (condition) => (condition.operator === operator ? String(condition.value) : undefined),
  } as const satisfies ConditionTest
}

function versionTest(comparator: string, words: readonly [string, string]): ConditionTest {
  return {
    id: `version ${comparator}`,
    group: 'Version',
    words,
    field: 'text',
    placeholder: '2.1.0',
    parse(text) {
      const version = text.trim()
      const reason = explainNoVersion(version)
      if (version === '') return { error: 'Type a version of three numbers, such as 2.1.0.' }
      if (reason !== undefined) return { error: `${reason}.` }
      return {
        test: { operator: 'semver', value: `${comparator === '=' ? '' : comparator}${version}` },
      }
    },
    toText(condition) {
      if (condition.operator !== 'semver') return undefined
      const isThis = parseVersionRange(condition.value)?.comparator === comparator
      return isThis ? condition.value.replace(/^[<>=]+\s*/, '') : undefined
    },
  }
}

function booleanTest(value: boolean): ConditionTest {
  return {
    id: `is ${value}`,
    group: 'Yes or no',
    words: [`is ${value}`, `is not ${value}`],
    field: 'none',
    parse: () => ({ test: { operator: 'equals', value } }),
    toText: (condition) =>
      condition.operator === 'equals' && condition.value === value ? '' : undefined,
  }
}

/** Tests whether the context is in a segment. */
export const segmentTest: ConditionTest = {
  id: 'segment',
  group: 'Segment',
  words: ['is in segment', 'is not in segment'],
  field: 'segment',
  parse: (text) =>
    text === '' ? { error: 'Choose a segment.' } : { test: { operator: 'segment', segment: text } },
  toText: (condition) => (condition.operator === 'segment' ? condition.segment : undefined),
}

/** Tests whether the attribute is in a share. Unlike a rollout, the others pass to the next rule. */
export const shareTest: ConditionTest = {
  id: 'share',
  group: 'Share',
  words: ['is in the first %', 'is not in the first %'],
  field: 'number',
  placeholder: '10',
  parse(text) {
    const percent = parsePercent(text)
    return percent === undefined
      ? { error: 'Type a percentage from 0 to 100, with up to three decimals.' }
      : { test: { operator: 'share', percent } }
  },
  toText: (condition) => (condition.operator === 'share' ? String(condition.percent) : undefined),
}

/** Returns the percentage that a person typed. `undefined`: it is none. */
export function parsePercent(text: string): number | undefined {
  const percent = Number(text)
  return /^\d{1,3}(?:\.\d{1,3})?$/.test(text.trim()) && percent <= 100 ? percent : undefined
}

/** Lists the tests in the order of the menu. The first one is that of a new condition. */
export const conditionTests: readonly [ConditionTest, ...ConditionTest[]] = [
  {
    id: 'text is',
    group: 'Text',
    words: ['is', 'is not'],
    field: 'text',
    parse: (text) => (text === '' ? typeText : { test: { operator: 'equals', value: text } }),
    toText: (condition) =>
      condition.operator === 'equals' && typeof condition.value === 'string'
        ? condition.value
        : undefined,
  },
  {
    id: 'text in',
    group: 'Text',
    words: ['is one of', 'is none of'],
    field: 'lines',
    parse(text) {
      const values = toLines(text)
      return values.length === 0 ? typeText : { test: { operator: 'in', values } }
    },
    toText: (condition) =>
      condition.operator === 'in' && condition.values.every((value) => typeof value === 'string')
        ? condition.values.join('\n')
        : undefined,
  },
  textTest('startsWith', ['starts with', 'does not start with']),
  textTest('endsWith', ['ends with', 'does not end with']),
  textTest('contains', ['contains', 'does not contain']),
  {
    id: 'number is',
    group: 'Number',
    words: ['equals', 'does not equal'],
    field: 'number',
    parse(text) {
      const value = parseNumber(text)
      return value === undefined ? typeNumber : { test: { operator: 'equals', value } }
    },
    toText: (condition) =>
      condition.operator === 'equals' && typeof condition.value === 'number'
        ? String(condition.value)
        : undefined,
  },
  {
    id: 'number in',
    group: 'Number',
    words: ['is one of the numbers', 'is none of the numbers'],
    field: 'lines',
    parse(text) {
      const values = toLines(text).map(parseNumber)
      const numbers = values.filter((value) => value !== undefined)
      return numbers.length === 0 || numbers.length < values.length
        ? { error: 'Type one number per line.' }
        : { test: { operator: 'in', values: numbers } }
    },
    toText: (condition) =>
      condition.operator === 'in' && condition.values.every((value) => typeof value === 'number')
        ? condition.values.join('\n')
        : undefined,
  },
  numberTest('greater', ['is more than', 'is not more than']),
  numberTest('greaterOrEqual', ['is at least', 'is not at least']),
  numberTest('less', ['is less than', 'is not less than']),
  numberTest('lessOrEqual', ['is at most', 'is not at most']),
  versionTest('>=', ['is this version or newer', 'is not this version or newer']),
  versionTest('>', ['is newer than version', 'is not newer than version']),
  versionTest('<=', ['is this version or older', 'is not this version or older']),
  versionTest('<', ['is older than version', 'is not older than version']),
  versionTest('=', ['is version', 'is not version']),
  booleanTest(true),
  booleanTest(false),
  {
    id: 'exists',
    group: 'Any type',
    words: ['is present', 'is missing'],
    field: 'none',
    parse: () => ({ test: { operator: 'exists' } }),
    toText: (condition) => (condition.operator === 'exists' ? '' : undefined),
  },
  {
    id: 'any of',
    group: 'Any type',
    words: ['is one of (JSON)', 'is none of (JSON)'],
    field: 'lines',
    placeholder: '["pro", 2, true]',
    parse: parseAnyOf,
    toText: (condition) =>
      condition.operator === 'in' ? JSON.stringify(condition.values) : undefined,
  },
  shareTest,
  segmentTest,
]

function parseAnyOf(text: string): Parsed {
  const values = parseJson(text)
  const isList =
    Array.isArray(values) &&
    values.length > 0 &&
    values.every((value) => ['string', 'number', 'boolean'].includes(typeof value))
  return isList
    ? { test: { operator: 'in', values } }
    : { error: 'Type a JSON array of texts, numbers, true or false.' }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
