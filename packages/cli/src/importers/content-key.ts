import { sameValue } from '@signalbox/contract'
import type { ImportedKey } from './importer.ts'
import type { Issues } from './issues.ts'
import type { KeyNames } from './one-environment.ts'

/** Describes what a variant carries beside its name, in one environment. */
export interface VariantContent {
  readonly environment: string
  readonly variant: string
  readonly content: unknown
}

/** Says how a product calls the contents of its variants, and the code of the issue about them. */
interface ContentWords {
  readonly word: 'payloads' | 'attachments'
  readonly code: string
}

/**
 * Returns what the variants of a flag carry as a key of its own: an object with a member for each variant. Example:
 * `checkout.payloads`. Without contents, and with several for one variant, there is none.
 */
export function toContentKeys(
  { key: flag, from }: KeyNames,
  contents: readonly VariantContent[],
  { word, code }: ContentWords,
  issues: Issues,
): ImportedKey[] {
  if (contents.length === 0) return []
  const byEnvironment = new Map<string, Record<string, unknown>>()
  for (const { environment, variant, content } of contents) {
    const known = byEnvironment.get(environment) ?? {}
    if (Object.hasOwn(known, variant) && !sameValue(known[variant], content)) {
      const cause = `Variants of one name have different ${word}.`
      issues.high(code, cause, `The names of the variants are imported. Their ${word} are not.`)
      return []
    }
    byEnvironment.set(environment, { ...known, [variant]: content })
  }
  const key = `${flag}.${word}`
  const done = `They become the key ${key}: an object with a member for each variant.`
  issues.low(code, `The variants of the flag have ${word}.`, done)
  return [
    {
      key,
      from,
      description: `The ${word} of the variants of ${flag}`,
      type: 'json',
      tier: 'public',
      verdict: 'exact',
      values: [...byEnvironment].map(([environment, value]) => ({ environment, value })),
      issues: [],
    },
  ]
}
