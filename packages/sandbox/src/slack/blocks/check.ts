/** Returns the faults of a value at a JSON pointer, in the words of Slack's `response_metadata.messages`. */
export type Check = (value: unknown, at: string) => readonly string[]

/** Marks a field that may be absent. */
interface Optional {
  readonly optional: Check
}

/** Marks a field as optional. When it is present, it is checked. */
export function optional(check: Check): Optional {
  return { optional: check }
}

/** Returns a check for a JSON object with these fields and no others. */
export function anObject(fields: Readonly<Record<string, Check | Optional>>): Check {
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return [`must be an object [json-pointer:${at}]`]
    }
    const members = new Map<string, unknown>(Object.entries(value))
    const strangers = [...members.keys()].filter((name) => !Object.hasOwn(fields, name))
    return [
      ...strangers.map((name) => `invalid additional property: ${name} [json-pointer:${at}]`),
      ...Object.entries(fields).flatMap(([name, field]) => {
        if (members.has(name)) {
          const check = typeof field === 'function' ? field : field.optional
          return check(members.get(name), `${at}/${name}`)
        }
        if (typeof field !== 'function') return []
        return [`missing required field: ${name} [json-pointer:${at}]`]
      }),
    ]
  }
}

/** Returns a check for a JSON array whose length is within the limits. */
export function anArray(limits: {
  readonly of: Check
  readonly min: number
  readonly max: number
}): Check {
  const { of, min, max } = limits
  return (value, at) => {
    if (!Array.isArray(value)) return [`must be an array [json-pointer:${at}]`]
    if (value.length < min) return [`no fewer than ${min} items allowed [json-pointer:${at}]`]
    if (value.length > max) return [`no more than ${max} items allowed [json-pointer:${at}]`]
    return value.flatMap((item: unknown, index) => of(item, `${at}/${index}`))
  }
}

/** Returns a check for a text whose length is within the limits. */
export function aText({ min = 0, max }: { readonly min?: number; readonly max: number }): Check {
  return (value, at) => {
    if (typeof value !== 'string') return [`must be a string [json-pointer:${at}]`]
    if (value.length < min) return [`must be more than ${min - 1} characters [json-pointer:${at}]`]
    if (value.length > max) return [`must be less than ${max + 1} characters [json-pointer:${at}]`]
    return []
  }
}

/** Returns a check for one of these words. */
export function oneOf(...values: readonly string[]): Check {
  return (value, at) =>
    values.some((allowed) => allowed === value)
      ? []
      : [`must be one of: ${values.join(', ')} [json-pointer:${at}]`]
}
