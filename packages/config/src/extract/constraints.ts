import { limits } from '@signalbox/contract'
import type { Fragment } from '../json-schema/fragment.ts'
import { patternsOf } from '../json-schema/plain-violation.ts'

/** Describes the part of a fragment that is pushed, and the part that a server does not accept. */
export interface Constraints {
  readonly constraints: Readonly<Record<string, unknown>>
  readonly dropped: readonly string[]
}

/** Returns whether a server accepts the pattern: it matches in linear time, so it has neither lookaround nor backreferences. */
export function isLinear(pattern: string): boolean {
  if (Buffer.byteLength(pattern) > limits.patternBytes) return false
  if (/\(\?<?[=!]|\\[1-9]|\\k</.test(pattern.replaceAll('\\\\', ''))) return false
  try {
    return new RegExp(pattern, 'u').source !== ''
  } catch {
    return false
  }
}

/** Returns the constraints of a key as the server takes them. An integer is a multiple of one. */
export function toConstraints(fragment: Fragment, patternsDiffer: boolean): Constraints {
  const {
    type,
    default: _d,
    title: _t,
    description: _e,
    owner: _o,
    tags: _g,
    expires: _x,
    killSwitch: _k,
    rotateEvery: _r,
    runbook: _b,
    expectedToDiffer: _n,
    variable: _v,
    pattern: _p,
    allOf: _a,
    schema,
    ...others
  } = fragment
  if (type === 'json') return { constraints: { ...schema }, dropped: [] }
  const patterns = patternsDiffer ? [] : patternsOf(fragment)
  const linear = patterns.filter(isLinear)
  const [first, ...more] = linear
  return {
    constraints: {
      ...others,
      ...(type === 'integer' && { multipleOf: others.multipleOf ?? 1 }),
      ...(first !== undefined && { pattern: first }),
      ...(more.length > 0 && { allOf: more.map((each) => ({ pattern: each })) }),
    },
    dropped: linear.length < patterns.length ? ['a pattern with lookaround or the like'] : [],
  }
}
