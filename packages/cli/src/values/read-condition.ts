import { parseJsonText } from '@signalbox/contract'
import type { Condition } from './rules.ts'
import { isRecord } from '../project/json.ts'
import { CliError } from '../terminal/cli-error.ts'

type Operator = Exclude<Condition['operator'], 'segment'>

/**
 * Maps words to operators, those of the API and those that rules are shown with. `not` may stand before each. The words of the
 * others come first, so that none begins with one before it.
 */
const phrases: readonly (readonly [words: string, operator: Operator, isNegated?: true])[] = [
  ['is none of', 'in', true],
  ['is one of', 'in'],
  ['is not in the first', 'share', true],
  ['is in the first', 'share'],
  ['is not more than', 'greater', true],
  ['is more than', 'greater'],
  ['is not at least', 'greaterOrEqual', true],
  ['is at least', 'greaterOrEqual'],
  ['is not less than', 'less', true],
  ['is less than', 'less'],
  ['is not at most', 'lessOrEqual', true],
  ['is at most', 'lessOrEqual'],
  ['is not version', 'semver', true],
  ['is version', 'semver'],
  ['is present', 'exists'],
  ['is missing', 'exists', true],
  ['is not', 'equals', true],
  ['is', 'equals'],
  ['does not start with', 'startsWith', true],
  ['starts with', 'startsWith'],
  ['does not end with', 'endsWith', true],
  ['ends with', 'endsWith'],
  ['does not contain', 'contains', true],
  ['contains', 'contains'],
  ['equals', 'equals'],
  ['in', 'in'],
  ['startsWith', 'startsWith'],
  ['endsWith', 'endsWith'],
  ['greaterOrEqual', 'greaterOrEqual'],
  ['greater', 'greater'],
  ['lessOrEqual', 'lessOrEqual'],
  ['less', 'less'],
  ['semver', 'semver'],
  ['exists', 'exists'],
  ['share', 'share'],
  ['!=', 'equals', true],
  ['>=', 'greaterOrEqual'],
  ['<=', 'lessOrEqual'],
  ['>', 'greater'],
  ['<', 'less'],
  ['=', 'equals'],
]

const words = phrases.map(([phrase]) => phrase)
const signs = words.filter((phrase) => /^\W/.test(phrase)).join('|')
const spelled = words
  .filter((phrase) => /^\w/.test(phrase))
  .map((phrase) => phrase.replaceAll(' ', String.raw`\s+`))
  .join('|')
const form = new RegExp(
  String.raw`^(?<attribute>[^\s!<>=]+)(?:\s*(?<sign>${signs})|\s+(?<not>not\s+)?(?<spelling>${spelled})(?!\S))\s*(?<text>.*)$`,
  's',
)
const ofSegment = /^(not\s+)?(?:in\s+)?segment\s+(\S+)$/

/** Holds a condition as far as it is split. */
interface Typed {
  readonly attribute: string
  readonly operator: Operator
  readonly isNegated: boolean
  readonly text: string
}

/**
 * Reads the conditions of a rule, those of one text with `and` between them. `everyone` means none.
 *
 * @throws {CliError} `invalid_condition`
 */
export function readConditions(texts: readonly string[]): Condition[] {
  if (texts.length === 1 && texts[0]?.trim() === 'everyone') return []
  return texts.flatMap((text) => splitAtAnd(text.trim())).map(readCondition)
}

/** Splits `plan is pro and age > 18`, and leaves an `and` that belongs to a value: `team is R and D`. */
function splitAtAnd(text: string): string[] {
  if (text.startsWith('{')) return [text]
  const parts: string[] = []
  for (const part of text.split(/\s+and\s+/)) {
    const before = parts.at(-1)
    const isQuoted = before !== undefined && before.split('"').length % 2 === 0
    const isCondition = ofSegment.test(part) || split(part) !== undefined
    if (before === undefined || (isCondition && !isQuoted)) parts.push(part)
    else parts[parts.length - 1] = `${before} and ${part}`
  }
  return parts
}

/**
 * Reads a condition as it is shown, or as JSON. Examples: `plan is pro`, `country is one of DE, AT`, `age >= 18`, `in segment
 * staff`. A number, `true` and `false` are of that type, and a text in quotation marks is none of them.
 */
function readCondition(text: string): Condition {
  if (text.startsWith('{')) return readJson(text)
  const [, notIn, segment] = ofSegment.exec(text) ?? []
  if (segment !== undefined) {
    return { operator: 'segment', segment, ...(notIn !== undefined && { not: true }) }
  }
  const typed = split(text)
  const test = typed && readers[typed.operator](typed.text)
  if (typed === undefined || test === undefined) throw invalid(text)
  return { attribute: typed.attribute, ...test, ...(typed.isNegated && { not: true }) }
}

/** Returns the attribute, the operator and what stands behind it. */
function split(condition: string): Typed | undefined {
  const { attribute = '', sign, not, spelling = '', text = '' } = form.exec(condition)?.groups ?? {}
  const phrase = sign ?? spelling.replaceAll(/\s+/g, ' ')
  const known = phrases.find(([each]) => each === phrase)
  if (known === undefined) return undefined
  const [, operator, isNegated = false] = known
  return { attribute, operator, isNegated: isNegated !== (not !== undefined), text: text.trim() }
}

type OfAttribute<Each extends Condition = Condition> = Each extends { readonly attribute: string }
  ? Omit<Each, 'attribute' | 'not'>
  : never

/** Reads what stands behind an operator. `undefined`: it does not suit it. */
type Reader = (text: string) => OfAttribute | undefined

const textTest =
  (operator: 'contains' | 'endsWith' | 'semver' | 'startsWith'): Reader =>
  (text) =>
    text === '' ? undefined : { operator, value: readQuoted(text) }

const numberTest =
  (operator: 'greater' | 'greaterOrEqual' | 'less' | 'lessOrEqual'): Reader =>
  (text) =>
    isNumber(text) ? { operator, value: Number(text) } : undefined

const readers: Readonly<Record<Operator, Reader>> = {
  exists: (text) => (text === '' ? { operator: 'exists' } : undefined),
  equals: (text) => (text === '' ? undefined : { operator: 'equals', value: readPlain(text) }),
  in: (text) => (text === '' ? undefined : { operator: 'in', values: readList(text) }),
  startsWith: textTest('startsWith'),
  endsWith: textTest('endsWith'),
  contains: textTest('contains'),
  semver: textTest('semver'),
  greater: numberTest('greater'),
  greaterOrEqual: numberTest('greaterOrEqual'),
  less: numberTest('less'),
  lessOrEqual: numberTest('lessOrEqual'),
  share: (text) => {
    const percent = text.replace(/\s*%$/, '')
    return isNumber(percent) ? { operator: 'share', percent: Number(percent) } : undefined
  },
}

function isNumber(text: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)
}

/** Reads `a, "b, c"` as two values. */
function readList(text: string): (string | number | boolean)[] {
  const parts = text.match(/\s*"(?:[^"\\]|\\.)*"|[^,]+/g) ?? []
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(readPlain)
}

function readPlain(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return isNumber(text) ? Number(text) : readQuoted(text)
}

function readQuoted(text: string): string {
  if (!/^".*"$/s.test(text)) return text
  const parsed = parseJsonText(text)
  return 'value' in parsed && typeof parsed.value === 'string' ? parsed.value : text
}

function readJson(text: string): Condition {
  const parsed = parseJsonText(text)
  if (!('value' in parsed) || !isRecord(parsed.value)) throw invalid(text)
  // The server checks the condition, and points at each violation.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return parsed.value as unknown as Condition
}

function invalid(text: string): CliError {
  return new CliError('usage', 'invalid_condition', `--when: "${text}" is no condition.`, {
    advice: [
      `Write an attribute, an operator and a value: --when 'plan is pro'`,
      'Operators: is, is not, is one of, is none of, starts with, ends with, contains, is present, is missing, >, >=, <, <=, semver, is in the first',
      `A segment: --when 'in segment staff'. As in the API: --when '{"attribute": "plan", "operator": "exists"}'`,
    ].join('\n'),
  })
}
