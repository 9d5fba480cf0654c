import type { NumberOperator, TextOperator } from '@signalbox/contract'
import {
  all,
  any,
  fitText,
  isOneOf,
  negate,
  never,
  one,
  type Alternatives,
} from '../alternatives.ts'
import type { LeftOut } from '../importer.ts'
import { done, leaveOut, type Issues } from '../issues.ts'
import { isInNumbers, isSemver, toTyped } from '../one-environment.ts'
import { isObject, readList, readText, requireObject, type JsonObject } from '../read-json.ts'

/** Returns the name of a field of Unleash's context here. */
export function toAttribute(name: string): string {
  return name === 'userId' ? 'targetingKey' : name
}

/** Returns the test of constraints that must all hold. @throws {LeftOut} for what has no counterpart here */
export function readConstraints(value: unknown, path: string, issues: Issues): Alternatives {
  return all(
    readList(value, path).map((constraint, index) => {
      const own = `${path}[${index}]`
      return readConstraint(requireObject(constraint, own), own, issues)
    }),
  )
}

const textOperators: Readonly<Record<string, TextOperator>> = {
  STR_STARTS_WITH: 'startsWith',
  STR_ENDS_WITH: 'endsWith',
  STR_CONTAINS: 'contains',
}
const numberOperators: Readonly<Record<string, NumberOperator | undefined>> = {
  NUM_EQ: undefined,
  NUM_GT: 'greater',
  NUM_GTE: 'greaterOrEqual',
  NUM_LT: 'less',
  NUM_LTE: 'lessOrEqual',
}
const versionOperators: Readonly<Record<string, string>> = {
  SEMVER_EQ: '=',
  SEMVER_GT: '>',
  SEMVER_LT: '<',
  SEMVER_GTE: '>=',
  SEMVER_LTE: '<=',
}

function readConstraint(constraint: JsonObject, path: string, issues: Issues): Alternatives {
  const attribute = toAttribute(readText(constraint['contextName'], `${path}.contextName`))
  const operator = readText(constraint['operator'], `${path}.operator`)
  // Unleash drops what is empty before it takes the spaces away.
  const values = readList(constraint['values'], `${path}.values`)
    .filter((value) => typeof value === 'string')
    .filter((value) => value !== '')
    .map((value) => value.trim())
  const test = toTest({ constraint, attribute, operator, values, issues })
  return constraint['inverted'] === true ? negate(test) : test
}

interface Constraint {
  readonly constraint: JsonObject
  readonly attribute: string
  readonly operator: string
  readonly values: readonly string[]
  readonly issues: Issues
}

/** These come from the client library there, and not from the application. */
const ownFields = new Set(['currentTime', 'environment', 'appName'])

// oxlint-disable-next-line complexity -- one branch for each kind of operator
function toTest({ constraint, attribute, operator, values, issues }: Constraint): Alternatives {
  const value = typeof constraint['value'] === 'string' ? constraint['value'].trim() : ''
  if (attribute === 'currentTime') throw withoutCounterpart(constraint)
  if (ownFields.has(attribute)) {
    const cause = `A constraint asks for ${attribute}, which Unleash's clients send on their own.`
    const action = `The application has to send the attribute “${attribute}”.`
    issues.medium(`UN-T004 ${attribute}`, cause, action)
  }
  if (operator === 'IN' || operator === 'NOT_IN') {
    const test = values.length === 0 ? never : isOneOf(attribute, values.flatMap(toTyped))
    return operator === 'IN' ? test : negate(test)
  }
  const textOperator = textOperators[operator]
  if (textOperator !== undefined && constraint['caseInsensitive'] !== true) {
    if (values.some(isInNumbers)) noteParts(attribute, issues)
    return any(
      values.map((text) =>
        text === ''
          ? isThere(attribute)
          : one({ attribute, operator: textOperator, value: fitText(text) }),
      ),
    )
  }
  const isNumber = value !== '' && Number.isFinite(Number(value))
  if (Object.hasOwn(numberOperators, operator) && isNumber) {
    const cause = `A constraint compares ${attribute} as a number. Unleash reads numbers out of texts.`
    issues.medium(`UN-T006 ${attribute}`, cause, done.number)
    const numberOperator = numberOperators[operator]
    return numberOperator === undefined
      ? one({ attribute, operator: 'equals', value: Number(value) })
      : one({ attribute, operator: numberOperator, value: Number(value) })
  }
  const comparator = versionOperators[operator]
  if (comparator !== undefined && isSemver(value)) {
    const cause = `A constraint compares ${attribute} as a version. Unleash takes versions with spaces around them.`
    issues.medium(`UN-T007 ${attribute}`, cause, 'Send versions without spaces, such as 2.1.0.')
    return one({ attribute, operator: 'semver', value: `${comparator}${value}` })
  }
  throw withoutCounterpart(constraint)
}

function isThere(attribute: string): Alternatives {
  return one({ attribute, operator: 'exists' })
}

function noteParts(attribute: string, issues: Issues): void {
  const cause = `A constraint asks for a part of ${attribute}. Unleash converts numbers and booleans to texts.`
  issues.medium(`UN-T008 ${attribute}`, cause, done.part)
}

function withoutCounterpart(constraint: JsonObject): LeftOut {
  const text = JSON.stringify(constraint).slice(0, 300)
  const cause = `A strategy has a constraint that rules here cannot express: ${text}`
  return leaveOut('UN-T010', cause, 'The flag is left out.')
}

/** Returns the test of the segments of a strategy. Unleash takes one that it does not know as false. */
export function readSegments(
  ids: unknown,
  segments: ReadonlyMap<string, JsonObject>,
  issues: Issues,
): Alternatives {
  return all(
    readList(ids, 'segments').map((id) => {
      const segment = segments.get(String(id))
      if (segment === undefined) return never
      const name = typeof segment['name'] === 'string' ? segment['name'] : String(id)
      if (!Array.isArray(segment['constraints'])) {
        const cause = `A strategy uses the segment ${name}, and the export has only its name.`
        const action =
          'The flag is left out. Import what GET /api/client/features answers, which has the constraints.'
        throw leaveOut('UN-T012', cause, action)
      }
      const cause = `A strategy uses the segment ${name}.`
      const action =
        'Its constraints are written into the rule, so later changes of the segment do not reach it.'
      issues.low(`UN-T011 ${name}`, cause, action)
      return readConstraints(segment['constraints'], `segments.${name}.constraints`, issues)
    }),
  )
}

/** Holds for every context that has what a strategy's parameter lists, separated by commas. */
export function readListed(parameters: unknown, name: string, attribute: string): Alternatives {
  const text = isObject(parameters) ? readText(parameters[name], name) : ''
  const values = text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
  return values.length === 0 ? never : isOneOf(attribute, values)
}
