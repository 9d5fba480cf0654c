import type { ConfigValue } from '@signalbox/contract'

/** Describes a JSON Schema, or a part of one, that is not `true` or `false`. */
export type Part = Readonly<Record<string, unknown>>

/** Returns whether `value` is an object with members. */
export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns whether `value` has a type that configuration knows. */
export function isConfigValue(value: unknown): value is ConfigValue {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
