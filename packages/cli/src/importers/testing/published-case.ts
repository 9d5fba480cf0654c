import type { ConfigValue, ImportSource } from '@signalbox/contract'

/** Describes a decision that a vendor publishes with its expected outcome. */
export interface PublishedCase {
  readonly source: ImportSource
  readonly name: string
  /** Holds an export with the flag. */
  readonly text: string
  readonly flag: string
  readonly context: Readonly<Record<string, unknown>>
  readonly expected: ConfigValue
}

/** Returns whether a rule can serve what a vendor expects. */
export function isPlain(value: unknown): value is ConfigValue {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** Returns a context of single values: objects become attributes named as paths. `undefined` where it has lists or nulls. */
export function toFlatContext(
  context: PublishedCase['context'],
  separator: '.' | '/',
): Record<string, string | number | boolean> | undefined {
  const flat: Record<string, string | number | boolean> = {}
  const add = (name: string, value: unknown): boolean => {
    if (Array.isArray(value) || value === null || value === undefined) return false
    if (typeof value === 'object') {
      const begin = separator === '/' && !name.startsWith('/') ? `/${name}` : name
      return Object.entries(value).every(([own, each]) => add(`${begin}${separator}${own}`, each))
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      return false
    }
    flat[name] = value
    return true
  }
  return Object.entries(context).every(([name, value]) => add(name, value)) ? flat : undefined
}
