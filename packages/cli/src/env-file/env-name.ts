import type { Tier } from '@signalbox/contract'

/**
 * Returns the environment variable of a key. Examples: `apiUrl` → `API_URL`, `HTTPPort` → `HTTP_PORT`,
 * `stripe.secret-key` → `STRIPE_SECRET_KEY`.
 */
export function toEnvName(key: string): string {
  const words = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[.-]+/g, '_')
  return words.replaceAll(/_{2,}/g, '_').toUpperCase()
}

/** Lists the prefixes that make a framework publish a variable to browsers. */
const publicPrefixes = [
  'NEXT_PUBLIC_',
  'VITE_',
  'NUXT_PUBLIC_',
  'EXPO_PUBLIC_',
  'REACT_APP_',
  'GATSBY_',
] as const

/** Returns the prefix of `name` that makes a bundler publish the variable, if any. */
export function publishingPrefix(name: string): string | undefined {
  return publicPrefixes.find((prefix) => name.startsWith(prefix))
}

/** Returns the variables that several keys would become, with their keys. */
export function findNameCollisions(keys: Iterable<string>): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  for (const key of keys) {
    const name = toEnvName(key)
    byName.set(name, [...(byName.get(name) ?? []), key])
  }
  return new Map([...byName].filter(([, names]) => names.length > 1))
}

/** Returns the variable of a key. Public values and flags get the prefix, secrets never. */
export function toPrefixedName(key: string, tier: Tier, prefix: string): string {
  const name = toEnvName(key)
  return tier === 'secret' || name.startsWith(prefix) ? name : `${prefix}${name}`
}
