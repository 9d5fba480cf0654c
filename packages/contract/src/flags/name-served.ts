import type { PlainValue } from './flag-rules.ts'

const charactersNamed = 64

/**
 * Returns the name under which a value is reported where no variant names it. Examples: `on`, `off`, `50`, `gpt-large`, `empty`. It
 * has few signs besides letters and digits: some providers read a name only up to a quotation mark or the end of a line.
 */
export function nameServed(value: PlainValue): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (value === '') return 'empty'
  return String(value)
    .replaceAll(/[^A-Za-z0-9_.+-]+/g, '-')
    .slice(0, charactersNamed)
}
