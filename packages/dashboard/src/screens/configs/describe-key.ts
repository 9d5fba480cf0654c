/** Returns a number of characters in words. Examples: `1 character`, `20 characters`. */
export const countCharacters = (count: number | string): string =>
  `${count} ${String(count) === '1' ? 'character' : 'characters'}`

/** Maps a JSON Schema keyword to its phrase, in the order in which they are said. */
const phrases: Readonly<Record<string, (value: string) => string>> = {
  minLength: (value) => `at least ${countCharacters(value)}`,
  maxLength: (value) => `at most ${countCharacters(value)}`,
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  exclusiveMinimum: (value) => `more than ${value}`,
  exclusiveMaximum: (value) => `less than ${value}`,
  multipleOf: (value) => (value === '1' ? 'whole numbers' : `a multiple of ${value}`),
  format: (value) => `format ${value}`,
  pattern: (value) => `matching ${value}`,
  const: (value) => `only ${value}`,
  type: (value) => (value === 'integer' ? 'whole numbers' : value),
}

const order = [...Object.keys(phrases), 'enum']

function toPosition(name: string): number {
  const at = order.indexOf(name)
  return at === -1 ? order.length : at
}

/** Returns the constraints of a key in words. Example: `at least 3 characters, format uri`. */
export function describeConstraints(
  constraints: Readonly<Record<string, unknown>> | undefined,
): string {
  return Object.entries(constraints ?? {})
    .toSorted(([one], [other]) => toPosition(one) - toPosition(other))
    .map(([name, value]) => {
      if (name === 'properties') return `members ${Object.keys(Object(value)).join(', ')}`
      if (name === 'required' && Array.isArray(value)) return `needs ${value.join(', ')}`
      if (name === 'additionalProperties' && value === false) return 'no other members'
      if (name === 'enum' && Array.isArray(value)) return `one of ${value.map(toText).join(', ')}`
      return phrases[name]?.(toText(value)) ?? `${name} ${toText(value)}`
    })
    .join(', ')
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
