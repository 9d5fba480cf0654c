/** The first that fits counts: most browsers name others as well. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biP(?:hone|ad|od)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const find = (table: typeof browsers, text: string) =>
  table.find(([pattern]) => pattern.test(text))?.[1]

/**
 * Returns what a `User-Agent` says in the words of people, or its first product. A client can send any text, so it only
 * helps people to recognize their own sessions, and decides nothing. Example: `Firefox on Linux`.
 */
export function describeClient(userAgent: string | null): string | null {
  if (userAgent === null) return null
  const browser = find(browsers, userAgent)
  const system = find(systems, userAgent)
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  const [product = ''] = userAgent.trim().split(/[\s/]/)
  return product === '' ? null : product.slice(0, 40)
}
