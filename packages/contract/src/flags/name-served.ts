import type { ConfigValue } from '../values/value-types.ts'
import { canonicalJson, isJsonValue } from '../values/json-value.ts'
import { absorb, emptyState, finish } from './murmur3.ts'

const charactersNamed = 64

/**
 * Returns the name under which a value is reported where no variant names it. Examples: `on`, `off`, `50`, `gpt-large`, `empty`,
 * and of an object or a list `json-8f2a1d2e`. It has few signs besides letters and digits: some providers read a name only up to a
 * quotation mark or the end of a line.
 */
export function nameServed(value: ConfigValue): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (value === '') return 'empty'
  if (isJsonValue(value)) {
    const hash = finish(absorb(emptyState, canonicalJson(value)))
    return `json-${hash.toString(16).padStart(8, '0')}`
  }
  return String(value)
    .replaceAll(/[^A-Za-z0-9_.+-]+/g, '-')
    .slice(0, charactersNamed)
}
