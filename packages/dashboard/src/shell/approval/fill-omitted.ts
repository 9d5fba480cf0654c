type Json = Readonly<Record<string, unknown>>

/**
 * Returns the operation of a request with the secret values that the server left out of its answer: they are in the body that
 * was sent. A place that the body lacks stays as it is.
 *
 * @param omitted - Points into the operation. Example: `/body/changes/0/set/stripeKey`.
 */
export function fillOmitted(operation: Json, omitted: readonly string[], body: unknown): unknown {
  let filled: unknown = operation
  for (const pointer of omitted) filled = fillOne(filled, { body }, toNames(pointer))
  return filled
}

function toNames(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function fillOne(to: unknown, from: unknown, [name, ...rest]: readonly string[]): unknown {
  if (!isJson(to) || !isJson(from) || name === undefined || !Object.hasOwn(from, name)) return to
  const value = rest.length === 0 ? from[name] : fillOne(to[name], from[name], rest)
  return Array.isArray(to) ? Object.assign([...to], { [name]: value }) : { ...to, [name]: value }
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}
