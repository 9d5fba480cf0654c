import { toEnvName, type Tier } from '@signalbox/contract'

/** Returns the variable of a key. Public values and flags get the prefix, secrets never. */
export function toPrefixedName(key: string, tier: Tier, prefix: string): string {
  const name = toEnvName(key)
  return tier === 'secret' || name.startsWith(prefix) ? name : `${prefix}${name}`
}
