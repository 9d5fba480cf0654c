import {
  parseVersionRange,
  targetingKey,
  type NumberOperator,
  type TextOperator,
} from '@signalbox/contract'
import {
  all,
  always,
  any,
  fitText,
  isOneOf,
  negate,
  never,
  one,
  type Alternatives,
} from '../alternatives.ts'
import { readTest } from '../flagd/json-logic.ts'
import type { LeftOut } from '../importer.ts'
import { done, leaveOut, type Issues } from '../issues.ts'
import { parseJson } from '../read-json.ts'

/** Holds what queries are read with. */
export interface QueryContext {
  readonly variants: readonly string[]
  readonly issues: Issues
}

/** Returns the test of a query: JSON Logic, or an expression such as `plan eq "pro" and age gt 18`. @throws {LeftOut} */
export function readQuery(query: string, { variants, issues }: QueryContext): Alternatives {
  const text = query.trim()
  if (text === '') return always
  if (text.startsWith('{')) {
    if (ofFlagdAlone.test(text)) throw withoutCounterpart(text)
    return readTest(parseJson(text), { source: 'GO', variants, issues })
  }
  return new Query(text, text.match(token) ?? [], issues).read()
}

/** Finds the operators that flagd adds to JSON Logic. */
const ofFlagdAlone = /"(?:sem_ver|starts_with|ends_with|fractional)"\s*:/

/** Finds texts, marks and words, and a quotation mark that nothing closes. */
const token = /"(?:\\.|[^"\\])*"|[()[\],"]|[^\s()[\],"]+/g

const comparisons: Readonly<Record<string, string>> = {
  '==': 'eq',
  '!=': 'ne',
  '>': 'gt',
  '<': 'lt',
  '>=': 'ge',
  '<=': 'le',
}
const operators: ReadonlySet<string> = new Set('eq ne gt lt ge le co sw ew in'.split(' '))

/** Reads one expression. “and” and “or” have the same rank: the left one is decided first. */
class Query {
  readonly #text: string
  readonly #tokens: readonly string[]
  readonly #issues: Issues
  #at = 0

  constructor(text: string, tokens: readonly string[], issues: Issues) {
    this.#text = text
    this.#tokens = tokens
    this.#issues = issues
  }

  read(): Alternatives {
    const test = this.#readAny()
    if (this.#at < this.#tokens.length) throw withoutCounterpart(this.#text)
    return test
  }

  #next(): string {
    const next = this.#tokens[this.#at]
    this.#at += 1
    if (next === undefined) throw withoutCounterpart(this.#text)
    return next
  }

  #readAny(): Alternatives {
    let test = this.#readOne()
    for (;;) {
      const operator = this.#tokens[this.#at]
      if (operator !== 'and' && operator !== 'or') return test
      this.#at += 1
      const other = this.#readOne()
      test = operator === 'and' ? all([test, other]) : any([test, other])
    }
  }

  #readOne(): Alternatives {
    const first = this.#next()
    const isNegated = first === 'not' || first === 'NOT'
    if (isNegated || first === '(') {
      if (isNegated && this.#next() !== '(') throw withoutCounterpart(this.#text)
      const test = this.#readAny()
      if (this.#next() !== ')') throw withoutCounterpart(this.#text)
      return isNegated ? negate(test) : test
    }
    return this.#readComparison(first)
  }

  #readComparison(name: string): Alternatives {
    if (!/^[A-Za-z][\w:.-]*$/.test(name)) throw withoutCounterpart(this.#text)
    const attribute = name === 'key' ? targetingKey : name
    if (attribute.includes('.')) {
      const cause = `A query asks for ${attribute}, a path into an object.`
      this.#issues.medium(`GO-T004 ${attribute}`, cause, done.path(attribute))
    }
    const word = this.#next()
    const operator = comparisons[word] ?? word.toLowerCase()
    if (operator === 'pr') return attribute === targetingKey ? always : isThere(attribute)
    if (!operators.has(operator)) throw withoutCounterpart(this.#text)
    const test = compare({ attribute, operator, values: this.#readValues(), issues: this.#issues })
    if (test === undefined) throw withoutCounterpart(this.#text)
    return test
  }

  /** Returns the tokens of a list, or of a single value. */
  #readValues(): Values {
    const first = this.#next()
    if (first !== '[') return { isList: false, tokens: [first] }
    const tokens = [this.#next()]
    for (let mark = this.#next(); mark !== ']'; mark = this.#next()) {
      if (mark !== ',') throw withoutCounterpart(this.#text)
      tokens.push(this.#next())
    }
    return { isList: true, tokens }
  }
}

interface Values {
  readonly isList: boolean
  readonly tokens: readonly string[]
}

interface Comparison {
  readonly attribute: string
  readonly operator: string
  readonly values: Values
  readonly issues: Issues
}

function isThere(attribute: string): Alternatives {
  return one({ attribute, operator: 'exists' })
}

/** Returns the test of a comparison. The form of the value decides how it compares. `undefined`: there is none here. */
function compare(comparison: Comparison): Alternatives | undefined {
  const { attribute, operator, values } = comparison
  const [first = ''] = values.tokens
  if (values.isList !== (operator === 'in')) return undefined
  if (values.tokens.every((each) => /^".*"$/s.test(each))) return compareText(comparison)
  if (values.tokens.every((each) => number.test(each))) return compareNumber(comparison)
  if (values.isList) return undefined
  if (first === 'true' || first === 'false') {
    return compareBoolean(attribute, operator, first === 'true')
  }
  if (first === 'null') {
    if (operator === 'eq') return negate(isThere(attribute))
    return operator === 'ne' ? isThere(attribute) : undefined
  }
  return /^\d+\.\d+\.\d+$/.test(first) ? compareVersion(attribute, operator, first) : undefined
}

const number = /^-?\d+(?:\.\d+)?$/

/** A context there always says whether its user is anonymous. */
function compareBoolean(
  attribute: string,
  operator: string,
  value: boolean,
): Alternatives | undefined {
  if (operator !== 'eq' && operator !== 'ne') return undefined
  const sought = value === (operator === 'eq')
  const isTrue = one({ attribute, operator: 'equals', value: true })
  if (attribute === 'anonymous') return sought ? isTrue : negate(isTrue)
  return sought ? isTrue : one({ attribute, operator: 'equals', value: false })
}

const textOperators: Readonly<Record<string, TextOperator>> = {
  co: 'contains',
  sw: 'startsWith',
  ew: 'endsWith',
}

function compareText(comparison: Comparison): Alternatives | undefined {
  const { attribute, operator, values, issues } = comparison
  const texts = values.tokens.map((each) => fitText(each.slice(1, -1)))
  if (operator === 'in') return isOneOf(attribute, texts)
  const [value = ''] = texts
  // A context there always has a key, which may be empty.
  if (value === '' && (attribute === targetingKey || operator !== 'eq')) return undefined
  const test = compareOneText(comparison, value)
  if (test === undefined || value.toLowerCase() === value.toUpperCase()) return test
  const cause = `A query compares ${attribute} with a text. There, “Pro” and “pro” are the same.`
  issues.medium(`GO-T005 ${attribute}`, cause, 'They are different here.')
  return test
}

function compareOneText(
  { attribute, operator, issues }: Comparison,
  value: string,
): Alternatives | undefined {
  const textOperator = textOperators[operator]
  if (textOperator !== undefined) return one({ attribute, operator: textOperator, value })
  const isEqual = isOneOf(attribute, [value])
  if (operator === 'eq') return isEqual
  if (operator !== 'ne') return undefined
  if (attribute === targetingKey) return negate(isEqual)
  const cause = `A query asks whether ${attribute} is another text. There, a number or a boolean is none.`
  issues.medium(`GO-T009 ${attribute}`, cause, 'Here it is another one.')
  return all([isThere(attribute), negate(isEqual)])
}

const numberOperators: Readonly<Record<string, NumberOperator>> = {
  gt: 'greater',
  ge: 'greaterOrEqual',
  lt: 'less',
  le: 'lessOrEqual',
}

function compareNumber({ attribute, operator, values }: Comparison): Alternatives | undefined {
  const isWhole = values.tokens.every((each) => !each.includes('.'))
  const bounds = values.tokens.map(Number)
  // A whole number of the context is in no list of fractions, nor the other way round.
  if (operator === 'in') return isAmong(attribute, isWhole ? bounds : bounds.filter(isFraction))
  const [bound = 0] = bounds
  if (isWhole) return compareWhole(attribute, operator, bound)
  const numberOperator = numberOperators[operator]
  if (numberOperator !== undefined)
    return one({ attribute, operator: numberOperator, value: bound })
  if (operator === 'eq') return isAmong(attribute, [bound])
  if (operator !== 'ne') return undefined
  return any([
    one({ attribute, operator: 'less', value: bound }),
    one({ attribute, operator: 'greater', value: bound }),
  ])
}

function isFraction(value: number): boolean {
  return !Number.isInteger(value)
}

function isAmong(attribute: string, values: readonly number[]): Alternatives {
  return values.length === 0 ? never : isOneOf(attribute, values)
}

/** Compares with a whole number, for which fractions of the context lose their decimals first. */
function compareWhole(
  attribute: string,
  operator: string,
  bound: number,
): Alternatives | undefined {
  const isAtLeast = (value: number) =>
    one(
      value > 0
        ? { attribute, operator: 'greaterOrEqual', value }
        : { attribute, operator: 'greater', value: value - 1 },
    )
  const isBelow = (value: number) =>
    one(
      value > 0
        ? { attribute, operator: 'less', value }
        : { attribute, operator: 'lessOrEqual', value: value - 1 },
    )
  switch (operator) {
    case 'ge':
      return isAtLeast(bound)
    case 'gt':
      return isAtLeast(bound + 1)
    case 'lt':
      return isBelow(bound)
    case 'le':
      return isBelow(bound + 1)
    case 'eq':
      return all([isAtLeast(bound), isBelow(bound + 1)])
    case 'ne':
      return any([isBelow(bound), isAtLeast(bound + 1)])
    default:
      return undefined
  }
}

const versionOperators: Readonly<Record<string, readonly string[]>> = {
  eq: ['='],
  ne: ['<', '>'],
  gt: ['>'],
  ge: ['>='],
  lt: ['<'],
  le: ['<='],
}

function compareVersion(
  attribute: string,
  operator: string,
  version: string,
): Alternatives | undefined {
  if (parseVersionRange(version) === undefined) return undefined
  return versionOperators[operator] === undefined
    ? undefined
    : any(
        versionOperators[operator].map((comparator) =>
          one({ attribute, operator: 'semver', value: `${comparator}${version}` }),
        ),
      )
}

function withoutCounterpart(query: string): LeftOut {
  const cause = `A rule has a query that rules here cannot express: ${query.slice(0, 300)}`
  return leaveOut('GO-T010', cause)
}
