import { violationOf } from '../json-schema/fragment.ts'
import { readFragment } from '../json-schema/read-fragment.ts'

/**
 * Returns the rule of a key's constraints that a value breaks. Example: `must have at least 16 characters`. Repeats neither the value
 * nor the values that a list allows, which are secrets where the key is one. `undefined`: it breaks no other rule.
 */
export function findBrokenRule(
  constraints: Readonly<Record<string, unknown>>,
  value: unknown,
): string | undefined {
  const { enum: _options, const: _only, ...rules } = readFragment(constraints).fragment
  return violationOf(rules, value)
}
