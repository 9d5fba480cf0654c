import { parseVersionRange, type ImportIssue } from '@signalbox/contract'
import { toFlag, type Step } from './alternatives.ts'
import { LeftOut, type ImportedKey } from './importer.ts'

/** Describes what names a key in an import. */
export type KeyNames = Pick<ImportedKey, 'key' | 'from' | 'description'>

/** Returns the error that leaves a flag out. */
export function leaveOut(
  code: string,
  cause: string,
  done = 'The flag is left out: rules here cannot express that.',
): LeftOut {
  return new LeftOut({ code, severity: 'high', cause, done })
}

/** Returns a flag of one environment. It is exact unless an issue says otherwise. */
export function toFlagKey(
  names: KeyNames,
  environment: string,
  {
    steps,
    rest,
    issues,
  }: {
    readonly steps: readonly Step[]
    readonly rest: boolean
    readonly issues: ReadonlyMap<string, ImportIssue>
  },
): ImportedKey {
  const { value, rules } = toFlag(steps, rest)
  const list = [...issues.values()]
  return {
    ...names,
    type: 'boolean',
    tier: 'featureFlags',
    verdict: list.every(({ severity }) => severity === 'low') ? 'exact' : 'differs',
    values: [{ environment, value, ...(rules.length > 0 && { rules }) }],
    issues: list,
  }
}

/** Returns a text, a number or JSON that is the same for everyone as a public key. */
export function toPublicKey(
  names: KeyNames,
  environment: string,
  { value, code }: { readonly value: unknown; readonly code: string },
): ImportedKey {
  const isPlain = typeof value === 'string' || typeof value === 'number'
  const cause = 'The flag has other values than true and false, and is the same for everyone.'
  const done = isPlain
    ? 'It becomes a public key.'
    : 'It becomes a public key that holds JSON as text.'
  return {
    ...names,
    type: typeof value === 'number' ? 'number' : 'string',
    tier: 'public',
    verdict: 'exact',
    values: [{ environment, value: isPlain ? value : JSON.stringify(value) }],
    issues: [{ code, severity: 'low', cause, done }],
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
