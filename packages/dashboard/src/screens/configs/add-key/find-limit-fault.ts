import type { ConfigValue } from '@signalbox/contract'

/**
 * Returns why a value does not fit the limits of a new key, in words. The server checks formats and patterns, which this does
 * not read.
 */
export function findLimitFault(
  value: ConfigValue,
  limits: ReadonlyMap<string, unknown>,
): string | undefined {
  if (typeof value === 'number') return findNumberFault(value, limits)
  if (typeof value !== 'string') return undefined
  const allowed = limits.get('enum')
  if (Array.isArray(allowed) && !allowed.includes(value))
    return `Give one of ${allowed.join(', ')}.`
  // Counted as JSON Schema does: an emoji is one character.
  const length = value.match(/./gsu)?.length ?? 0
  const [least, most] = [limits.get('minLength'), limits.get('maxLength')]
  if (typeof least === 'number' && length < least) return `Give at least ${least} characters.`
  if (typeof most === 'number' && length > most) return `Give at most ${most} characters.`
  return undefined
}

function findNumberFault(value: number, limits: ReadonlyMap<string, unknown>): string | undefined {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return `Give a number up to ${Number.MAX_SAFE_INTEGER}.`
  if (limits.get('type') === 'integer' && !Number.isInteger(value)) return 'Give a whole number.'
  const [least, most] = [limits.get('minimum'), limits.get('maximum')]
  if (typeof least === 'number' && value < least) return `Give at least ${least}.`
  if (typeof most === 'number' && value > most) return `Give at most ${most}.`
  return undefined
}
