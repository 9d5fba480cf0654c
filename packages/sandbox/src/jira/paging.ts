/** A whole number in a query: `fallback` when it is absent, `undefined` when it is none. */
export function readNumber(
  query: URLSearchParams,
  name: string,
  fallback: number,
): number | undefined {
  const text = query.get(name)
  if (text === null) return fallback
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
