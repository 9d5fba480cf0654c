import {
  findLimitViolation as findSizeViolation,
  isConfigValue,
  isJsonValue,
  sameValue,
  type ConfigValue,
} from '@signalbox/contract'
import { countCharacters } from '../describe-key.ts'
import { toValueText } from '../matrix.ts'

type Constraints = ReadonlyMap<string, unknown>

/**
 * Returns why a value does not fit the constraints of a key, in words. The server checks formats and patterns, which this
 * does not read.
 */
export function findLimitViolation(
  value: ConfigValue,
  constraints: Constraints,
): string | undefined {
  // The server checks the parts.
  if (isJsonValue(value)) return findSizeViolation(value)?.detail
  const violation = findChoiceViolation(value, constraints)
  if (violation !== undefined || typeof value === 'boolean') return violation
  return typeof value === 'number'
    ? findNumberViolation(value, constraints)
    : findLengthViolation(value, constraints)
}

function findChoiceViolation(value: ConfigValue, constraints: Constraints): string | undefined {
  const only = constraints.get('const')
  if (isConfigValue(only) && !sameValue(only, value)) return `Use ${toValueText(only)}.`
  const allowed: unknown = constraints.get('enum')
  if (!Array.isArray(allowed) || allowed.includes(value)) return undefined
  return `Use one of ${allowed.join(', ')}.`
}

function findLengthViolation(value: string, constraints: Constraints): string | undefined {
  // Counted as JSON Schema does: an emoji is one character.
  const length = value.match(/./gsu)?.length ?? 0
  const [least, most] = [constraints.get('minLength'), constraints.get('maxLength')]
  if (typeof least === 'number' && length < least) return `Use at least ${countCharacters(least)}.`
  if (typeof most === 'number' && length > most) return `Use at most ${countCharacters(most)}.`
  return undefined
}

/** Maps the constraint of a number to its violation. */
const numberViolations: Readonly<
  Record<string, (value: number, limit: number) => string | undefined>
> = {
  minimum: (value, limit) => (value < limit ? `Use at least ${limit}.` : undefined),
  maximum: (value, limit) => (value > limit ? `Use at most ${limit}.` : undefined),
  exclusiveMinimum: (value, limit) => (value <= limit ? `Use more than ${limit}.` : undefined),
  exclusiveMaximum: (value, limit) => (value >= limit ? `Use less than ${limit}.` : undefined),
  multipleOf(value, limit) {
    if (Number.isInteger(value / limit)) return undefined
    return limit === 1 ? 'Use a whole number.' : `Use a multiple of ${limit}.`
  },
}

function findNumberViolation(value: number, constraints: Constraints): string | undefined {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return `Use a number up to ${Number.MAX_SAFE_INTEGER}.`
  if (constraints.get('type') === 'integer' && !Number.isInteger(value))
    return 'Use a whole number.'
  const violations = [...constraints].map(([name, limit]) =>
    typeof limit === 'number' ? numberViolations[name]?.(value, limit) : undefined,
  )
  return violations.find((violation) => violation !== undefined)
}
