import { all, always, any, divide, never, type Alternatives, type Step } from '../alternatives.ts'
import { done, leaveOut } from '../issues.ts'
import {
  isObject,
  readList,
  readNumber,
  readText,
  requireObject,
  type JsonObject,
} from '../read-json.ts'
import { readUserCondition, toAttribute, type Issues, type Tested } from './conditions.ts'

/** Holds what targeting rules are read with. */
export interface TargetingContext extends Issues {
  readonly key: string
  readonly settings: JsonObject
  readonly segments: readonly unknown[]
}

/** Returns the steps of a setting. @throws {LeftOut} @throws {ExportError} */
export function readTargeting(
  setting: JsonObject,
  path: string,
  context: TargetingContext,
): Step[] {
  const by = readText(setting['a'], `${path}.a`)
  const shares = { attribute: by === '' ? 'targetingKey' : toAttribute(by), key: context.key }
  const rules = readList(setting['r'], `${path}.r`).flatMap((entry, index) => {
    const own = `${path}.r[${index}]`
    const rule = requireObject(entry, own)
    const test = all(readConditions(rule['c'], `${own}.c`, context).map(({ holds }) => holds))
    if (!isObject(rule['s'])) return readShares(rule['p'], `${own}.p`, { ...shares, test })
    return [{ test, serve: readValue(rule['s']['v'], `${own}.s.v`) }]
  })
  return [...rules, ...readShares(setting['p'], `${path}.p`, { ...shares, test: always })]
}

/** Returns the value of a setting: `{ b: true }`, `{ s: "text" }`, `{ i: 1 }` or `{ d: 1.5 }`. */
export function readValue(value: unknown, path: string): unknown {
  const { b, s, i, d } = requireObject(value, path)
  return b ?? s ?? i ?? d ?? null
}

interface Shares {
  readonly test: Alternatives
  readonly attribute: string
  readonly key: string
}

/** Returns the steps of percentages. Who lacks the attribute passes them. */
function readShares(value: unknown, path: string, { test, attribute, key }: Shares): Step[] {
  const parts = readList(value, path).map((entry, index) => {
    const own = `${path}[${index}]`
    const option = requireObject(entry, own)
    const percent = readNumber(option['p'], `${own}.p`)
    return { serve: readValue(option['v'], `${own}.v`), percent }
  })
  return divide(parts, { test, attribute, deal: { as: 'configcat', key } })
}

function readConditions(value: unknown, path: string, context: TargetingContext): Tested[] {
  return readList(value, path).map((entry, index) => {
    const own = `${path}[${index}]`
    const { u, p, s } = requireObject(entry, own)
    if (isObject(u)) return readUserCondition(u, `${own}.u`, context)
    if (isObject(p)) return readParent(p, `${own}.p`, context)
    return readSegment(requireObject(s, `${own}.s`), `${own}.s`, context)
  })
}

/** Returns a condition about another setting, where that is the same for everyone. @throws {LeftOut} */
function readParent(content: JsonObject, path: string, context: TargetingContext): Tested {
  const { settings, issues } = context
  const key = readText(content['f'], `${path}.f`)
  const parent = Object.hasOwn(settings, key) ? settings[key] : undefined
  const isConstant = isObject(parent) && isEmpty(parent['r']) && isEmpty(parent['p'])
  const theirs = isConstant ? readValue(parent['v'], `f.${key}.v`) : undefined
  const expected = readValue(content['v'], `${path}.v`)
  if (typeof theirs !== typeof expected) {
    throw leaveOut(
      'CC-T013',
      `A rule needs the flag ${key}, which is not the same for everyone.`,
      done.constantOnly,
    )
  }
  const cause = `A rule needs the flag ${key}, which is the same for everyone.`
  issues.medium(`CC-T014 ${key}`, cause, done.prerequisite)
  const isMet = (theirs === expected) === (content['c'] !== 1)
  return isMet ? { holds: always, fails: never } : { holds: never, fails: always }
}

function isEmpty(value: unknown): boolean {
  return !Array.isArray(value) || value.length === 0
}

function readSegment(content: JsonObject, path: string, context: TargetingContext): Tested {
  const index = readNumber(content['s'], `${path}.s`)
  const own = `s[${index}]`
  const segment = requireObject(context.segments[index], own)
  const name = readText(segment['n'], `${own}.n`)
  context.issues.low(`CC-T012 ${name}`, `A rule uses the segment ${name}.`, done.segment)
  const tests = readList(segment['r'], `${own}.r`).map((entry, at) =>
    readUserCondition(requireObject(entry, `${own}.r[${at}]`), `${own}.r[${at}]`, context),
  )
  const holds = all(tests.map((test) => test.holds))
  // The first condition that does not hold decides: it fails, or it can't be evaluated.
  const fails = any(
    tests.map((test, at) => all([...tests.slice(0, at).map((before) => before.holds), test.fails])),
  )
  return content['c'] === 1 ? { holds: fails, fails: holds } : { holds, fails }
}
