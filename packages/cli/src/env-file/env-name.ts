import type { Tier } from '@signalbox/contract'

/**
 * The environment variable of a key. Examples: `apiUrl` → `API_URL`, `HTTPPort` → `HTTP_PORT`,
 * `stripe.secret-key` → `STRIPE_SECRET_KEY`.
 */
export function toEnvName(key: string): string {
  const words = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[.-]+/g, '_')
  return words.replaceAll(/_{2,}/g, '_').toUpperCase()
}

/** Prefixes that make a framework put a variable into what it sends to browsers. */
const publicPrefixes = [
  'NEXT_PUBLIC_',
  'VITE_',
  'NUXT_PUBLIC_',
  'EXPO_PUBLIC_',
  'REACT_APP_',
  'GATSBY_',
] as const

/** The prefix that would publish `name`, if any. */
export function publishingPrefix(name: string): string | undefined {
  return publicPrefixes.find((prefix) => name.startsWith(prefix))
}

/** Keys that would become the same variable: each name with its keys. */
export function findNameCollisions(keys: Iterable<string>): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  for (const key of keys) {
    const name = toEnvName(key)
    byName.set(name, [...(byName.get(name) ?? []), key])
  }
  return new Map([...byName].filter(([, names]) => names.length > 1))
}

/** The variable of a key with the prefix that publishes public values and flags, never secrets. */
export function toPrefixedName(key: string, tier: Tier, prefix: string): string {
  const name = toEnvName(key)
  return tier === 'secret' || name.startsWith(prefix) ? name : `${prefix}${name}`
}
