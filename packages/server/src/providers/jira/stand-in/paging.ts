/** Returns a whole number of the query: `fallback` when it is absent, `undefined` when it is no number. */
export function readNumber(
  query: URLSearchParams,
  name: string,
  fallback: number,
): number | undefined {
  const text = query.get(name)
  if (text === null) return fallback
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
