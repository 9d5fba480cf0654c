import { isJsonValue } from '@signalbox/contract'
import { findPartViolation } from '../json-schema/find-part-violation.ts'
import { violationOf } from '../json-schema/fragment.ts'
import { readFragment } from '../json-schema/read-fragment.ts'

/**
 * Returns the rule of a key's constraints that a value breaks. Example: `must have at least 16 characters`. Repeats neither the value
 * nor the values that a list allows, which are secrets where the key is one. `undefined`: it breaks none.
 */
export function findBrokenRule(
  constraints: Readonly<Record<string, unknown>>,
  value: unknown,
): string | undefined {
  if (isJsonValue(value)) {
    return findPartViolation(constraints, value) && 'must be as its schema says'
  }
  const { fragment } = readFragment(constraints)
  const { enum: _options, const: _only, ...rules } = fragment
  const isListed = violationOf(fragment, value) === undefined
  return (
    violationOf(rules, value) ?? (isListed ? undefined : 'must be one of the values that it allows')
  )
}
