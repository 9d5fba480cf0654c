/** Describes a JSON Schema, or a part of one, that is not `true` or `false`. */
export type Part = Readonly<Record<string, unknown>>

/** Returns whether `value` is an object with members. */
export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
