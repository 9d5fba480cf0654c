import { parseVersionRange } from '@signalbox/contract'
import { toFlag, type Step } from './alternatives.ts'
import type { ImportedKey } from './importer.ts'
import { Issues } from './issues.ts'

type Values = ImportedKey['values']

/** Describes what names a key in an import. */
export type KeyNames = Pick<ImportedKey, 'key' | 'from' | 'description' | 'tags'>

/** Returns what a flag is in an environment. */
export function toFlagValue(environment: string, steps: readonly Step[], rest: boolean): Values[0] {
  const { value, rules } = toFlag(steps, rest)
  return { environment, value, ...(rules.length > 0 && { rules }) }
}

/** Returns a flag. It is exact unless an issue says otherwise. */
export function toFlagKey(names: KeyNames, values: Values, issues: Issues): ImportedKey {
  const { verdict, all } = issues
  return { ...names, type: 'boolean', tier: 'featureFlags', verdict, values, issues: all }
}

/** Returns texts, numbers or JSON that are the same for everyone as a public key. `code` is that of the issue that says so. */
export function toPublicKey(
  names: KeyNames,
  code: string,
  served: readonly { readonly environment: string; readonly value: unknown }[],
  issues = new Issues(),
): ImportedKey {
  const isNumber = served.every(({ value }) => typeof value === 'number')
  const isPlain = isNumber || served.every(({ value }) => typeof value === 'string')
  issues.low(
    code,
    'The flag has other values than true and false, and is the same for everyone.',
    isPlain ? 'It becomes a public key.' : 'It becomes a public key that holds JSON as text.',
  )
  const values = served.map(({ environment, value }) => ({
    environment,
    value:
      isPlain && (typeof value === 'string' || typeof value === 'number')
        ? value
        : JSON.stringify(value),
  }))
  const { verdict, all } = issues
  return {
    ...names,
    type: isNumber ? 'number' : 'string',
    tier: 'public',
    verdict,
    values,
    issues: all,
  }
}

/**
 * Returns a text as the values that a product takes for equal to it because it compares texts: the text itself, and the
 * number or the boolean that it spells.
 */
export function toTyped(text: string): (string | number | boolean)[] {
  if (text === 'true' || text === 'false') return [text, text === 'true']
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? [text, number] : [text]
}

/** Returns whether a text is a version of SemVer 2.0. */
export function isSemver(text: string): boolean {
  return /^\d/.test(text) && parseVersionRange(text) !== undefined
}

/** Returns whether the text of a number or a boolean may have this part. */
export function isInNumbers(text: string): boolean {
  const words = ['true', 'false', 'Infinity', 'NaN']
  return /^[\d.e+-]+$/.test(text) || words.some((word) => word.includes(text))
}
