import type { CommitCheck } from '@signalbox/contract/rest'
import { nameKeys } from '../checks/describe-check.ts'

/** Describes what the environment of a deployment lacks for its commit. */
export interface Needed {
  readonly checkId: string
  readonly conclusion: CommitCheck['conclusion']
  readonly missing: readonly string[]
  readonly invalid: readonly string[]
}

/** Returns what an environment lacks, as one sentence. Example: `Needs 2 keys that production lacks: a and b.` Empty: nothing. */
export function describeNeeds(
  { missing, invalid }: Pick<Needed, 'missing' | 'invalid'>,
  environment: string,
): string {
  const sentences = [
    missing.length > 0 &&
      `Needs ${missing.length === 1 ? 'a key' : `${missing.length} keys`} that ${environment} lacks: ${nameKeys(missing)}.`,
    invalid.length > 0 &&
      `${invalid.length === 1 ? 'A value' : `${invalid.length} values`} of ${environment} ${invalid.length === 1 ? 'is' : 'are'} invalid for it: ${nameKeys(invalid)}.`,
  ]
  return sentences.filter((sentence) => sentence !== false).join(' ')
}
