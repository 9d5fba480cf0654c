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
import { done, leaveOut, type Issues as FlagIssues } from '../issues.ts'
import { isInNumbers, isSemver, toTyped } from '../one-environment.ts'
import { readList, readNumber, readText, type JsonObject } from '../read-json.ts'

/**
 * Describes a condition of ConfigCat, which holds, fails, or can't be evaluated. One that can't be evaluated skips its rule,
 * negated or not.
 */
export interface Tested {
  readonly holds: Alternatives
  readonly fails: Alternatives
}

/** Holds where the issues of a flag go. */
export interface Issues {
  readonly issues: FlagIssues
}

/** Returns the name of an attribute here. `Identifier` is the user there. */
export function toAttribute(name: string): string {
  return name === 'Identifier' ? 'targetingKey' : name
}

/** Swaps what holds and what fails. */
function invert({ holds, fails }: Tested): Tested {
  return { holds: fails, fails: holds }
}

/** A comparator, by the number that ConfigCat gives it. */
type ReadComparator = (condition: Comparison) => Tested

interface Comparison extends Issues {
  readonly attribute: string
  readonly content: JsonObject
  readonly path: string
}

/** Returns a condition about the user. @throws {LeftOut} for what has no counterpart here */
export function readUserCondition(content: JsonObject, path: string, { issues }: Issues): Tested {
  const attribute = toAttribute(readText(content['a'], `${path}.a`))
  const comparator = readNumber(content['c'], `${path}.c`)
  if (confidential.has(comparator)) {
    throw leaveOut(
      'CC-T011',
      `A rule compares ${attribute} with confidential values, of which the file has only hashes.`,
      'The flag is left out. Choose comparators that are not confidential, then import again.',
    )
  }
  const read = comparators.get(comparator)
  if (read === undefined) throw withoutCounterpart(content)
  return read({ attribute, content, path, issues })
}

const confidential: ReadonlySet<number> = new Set([16, 17, 20, 21, 22, 23, 24, 25, 26, 27])

const comparators: ReadonlyMap<number, ReadComparator> = new Map([
  [0, isAmong],
  [1, (condition) => invert(isAmong(condition))],
  [2, textTest('contains')],
  [3, (condition) => invert(textTest('contains')(condition))],
  [4, isAmongVersions],
  [5, isOutsideVersions],
  [6, versionTest('<')],
  [7, versionTest('<=')],
  [8, versionTest('>')],
  [9, versionTest('>=')],
  [10, isNumber],
  [11, (condition) => invert(isNumber(condition))],
  [12, numberTest('less', 'greaterOrEqual')],
  [13, numberTest('lessOrEqual', 'greater')],
  [14, numberTest('greater', 'lessOrEqual')],
  [15, numberTest('greaterOrEqual', 'less')],
  [18, momentTest('less', 'greaterOrEqual')],
  [19, momentTest('greater', 'lessOrEqual')],
  [28, isText],
  [29, (condition) => invert(isText(condition))],
  [30, textTest('startsWith')],
  [31, (condition) => invert(textTest('startsWith')(condition))],
  [32, textTest('endsWith')],
  [33, (condition) => invert(textTest('endsWith')(condition))],
])

/** ConfigCat takes an empty attribute as missing. */
function isThere(attribute: string): Alternatives {
  const isEmpty = one({ attribute, operator: 'equals', value: '' })
  return all([one({ attribute, operator: 'exists' }), negate(isEmpty)])
}

function whereThere(attribute: string, test: Alternatives): Tested {
  return { holds: test, fails: all([isThere(attribute), negate(test)]) }
}

function isAmong({ attribute, content, path }: Comparison): Tested {
  return isOneOfTexts(attribute, readTexts(content, path))
}

function isText({ attribute, content, path }: Comparison): Tested {
  return isOneOfTexts(attribute, [readText(content['s'], `${path}.s`)])
}

function isOneOfTexts(attribute: string, texts: readonly string[]): Tested {
  const values = texts.filter((text) => text !== '').flatMap(toTyped)
  return whereThere(attribute, values.length === 0 ? never : isOneOf(attribute, values))
}

function textTest(operator: TextOperator): ReadComparator {
  return ({ attribute, content, path, issues }) => {
    const texts = readTexts(content, path)
    if (texts.includes('')) return { holds: isThere(attribute), fails: never }
    if (texts.some(isInNumbers)) {
      const cause = `A rule asks for a part of ${attribute}. ConfigCat converts numbers and booleans to texts.`
      issues.medium(`CC-T008 ${attribute}`, cause, done.part)
    }
    const tests = texts.map((value) => one({ attribute, operator, value: fitText(value) }))
    return whereThere(attribute, any(tests))
  }
}

function isAmongVersions(condition: Comparison): Tested {
  const versions = readVersions(condition)
  if (versions === undefined) return { holds: never, fails: isVersion(condition) }
  const test = any(versions.map((version) => compareVersion(condition, '=', version)))
  return { holds: test, fails: all([isVersion(condition), negate(test)]) }
}

/** A list with something that is no version holds neither way there. */
function isOutsideVersions(condition: Comparison): Tested {
  return readVersions(condition) === undefined
    ? { holds: never, fails: isVersion(condition) }
    : invert(isAmongVersions(condition))
}

function readVersions({ content, path }: Comparison): readonly string[] | undefined {
  const versions = readTexts(content, path)
    .filter((text) => text !== '')
    .map(toVersion)
  return versions.every(isSemver) ? versions : undefined
}

/** ConfigCat takes spaces around a version, and a v before. */
function toVersion(text: string): string {
  return text.trim().replace(/^v/, '')
}

function versionTest(comparator: string): ReadComparator {
  return (condition) => {
    const version = toVersion(readText(condition.content['s'], `${condition.path}.s`))
    if (!isSemver(version)) return { holds: never, fails: isVersion(condition) }
    const test = compareVersion(condition, comparator, version)
    return { holds: test, fails: all([isVersion(condition), negate(test)]) }
  }
}

/** Holds for every version: this one is before all others. */
function isVersion(condition: Comparison): Alternatives {
  return compareVersion(condition, '>=', '0.0.0-0')
}

function compareVersion(
  { attribute, issues }: Comparison,
  comparator: string,
  version: string,
): Alternatives {
  const cause = `A rule compares ${attribute} as a version. ConfigCat takes versions with spaces around them, or a v before.`
  issues.medium(`CC-T007 ${attribute}`, cause, 'Send versions of three numbers, such as 2.1.0.')
  return one({ attribute, operator: 'semver', value: `${comparator}${version}` })
}

function isNumber(condition: Comparison): Tested {
  const { attribute } = condition
  const value = readBound(condition)
  return {
    holds: one({ attribute, operator: 'equals', value }),
    fails: any([
      one({ attribute, operator: 'less', value }),
      one({ attribute, operator: 'greater', value }),
    ]),
  }
}

function numberTest(operator: NumberOperator, opposite: NumberOperator): ReadComparator {
  return (condition) => compareNumber(condition, [operator, opposite], readBound(condition))
}

function compareNumber(
  { attribute }: Comparison,
  [operator, opposite]: readonly [NumberOperator, NumberOperator],
  value: number,
): Tested {
  return {
    holds: one({ attribute, operator, value }),
    fails: one({ attribute, operator: opposite, value }),
  }
}

function readBound({ attribute, content, path, issues }: Comparison): number {
  const cause = `A rule compares ${attribute} as a number. ConfigCat reads numbers out of texts.`
  issues.medium(`CC-T006 ${attribute}`, cause, done.number)
  return readNumber(content['d'], `${path}.d`)
}

function momentTest(operator: NumberOperator, opposite: NumberOperator): ReadComparator {
  return (condition) => {
    const { attribute, content, path, issues } = condition
    const cause = `A rule compares ${attribute} as a moment.`
    const action = 'It is compared as a number. The application has to send the seconds since 1970.'
    issues.medium(`CC-T009 ${attribute}`, cause, action)
    return compareNumber(condition, [operator, opposite], readNumber(content['d'], `${path}.d`))
  }
}

function readTexts(content: JsonObject, path: string): readonly string[] {
  return readList(content['l'], `${path}.l`).filter((text) => typeof text === 'string')
}

function withoutCounterpart(condition: JsonObject): LeftOut {
  const text = JSON.stringify(condition).slice(0, 300)
  return leaveOut('CC-T010', `A rule has a condition that rules here cannot express: ${text}`)
}
