import { variableNameOf, type Tier } from '@signalbox/contract'

/** Describes what decides the variable of a key. */
export interface NamedKey {
  readonly tier: Tier
  /** Names the variable, where the definition does. */
  readonly variable?: string | undefined
}

/**
 * Returns the variable of a key. Public values and flags get the prefix. Secrets never do, nor does a variable that the
 * definition names: it is what the program reads.
 */
export function toPrefixedName(
  key: string,
  { tier, variable = '' }: NamedKey,
  prefix: string,
): string {
  const name = variableNameOf(key, variable)
  const isWhole = variable !== '' || tier === 'secret' || name.startsWith(prefix)
  return isWhole ? name : `${prefix}${name}`
}
