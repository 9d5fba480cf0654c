import type { IssueGrammar, KeyMention, KeyScope } from '../tracker.ts'

/** Describes how a tracker names what its issues are in. */
export interface HyphenKeysOptions {
  readonly container: IssueGrammar['container']
  /** Names in capitals, as part of a regular expression. Every repetition in it is bounded. */
  readonly names: string
  /** Says that names may have a `_`. Without it a `_` ends a word. */
  readonly underscores: boolean
}

/** Matches a number that no letter, digit or fraction follows: `ABC-3.4` and `ABC-3.x` are versions. */
const number = String.raw`[1-9][0-9]{0,8}(?![A-Za-z0-9]|\.[0-9]|\.[xX](?![A-Za-z0-9]))`
/** Matches, from its end, a number that belongs to no name, and a `_`: that of a key before, or a word, as in `919_ABC-1`. */
const numberBefore = '(?<=(?:-|(?<![A-Za-z0-9_]))[0-9]{1,9}_)'
/** Matches the word before a number in the name of a branch, which git limits to 255 bytes. */
const inBranch = new RegExp(
  `(?:(?<![A-Za-z0-9_])|${numberBefore})([A-Za-z0-9_]{1,255})-(${number})`,
  'g',
)
const none: readonly KeyMention[] = []

/**
 * Creates the grammar of keys such as `ABC-12`: they mean the same issue wherever they stand. Case counts, because `utf-8` is more
 * often a word than a key. It does not in names of branches, which people write in lower case, as long as it is known which
 * containers there are. Every repetition is bounded, so the time grows with the length of the text and no faster.
 *
 * A `_` after the number ends the key, as in `ABC-1_fix`, and another may follow, as in `ABC-1_ABC-2`. Before it, `MY_PROJ-7` is of the project `MY_PROJ` and never of `PROJ`
 * where names may have a `_`; `fix_ABC-1` is of `ABC`, because no name has small letters.
 */
export function createHyphenKeys(options: HyphenKeysOptions): IssueGrammar {
  const { container, names, underscores } = options
  const noNameBefore = underscores ? '(?<![A-Za-z0-9]|[A-Z0-9]_)' : '(?<![A-Za-z0-9])'
  const pattern = new RegExp(`(?:${noNameBefore}|${numberBefore})${names}-${number}`, 'g')
  const whole = new RegExp(`^${names}-[1-9][0-9]{0,8}$`, 'i')
  return {
    container,
    findKeys(line, { source, tracked }) {
      // Most lines are empty or name nothing, and a search costs more than this look.
      if (!line.includes('-')) return none
      if (source === 'branch' && tracked !== null) {
        return findInBranch(line, tracked).filter(({ text }) => whole.test(text))
      }
      return Array.from(line.matchAll(pattern), ([text]) => ({ key: text, text }))
    },
    toKey: (text) => (whole.test(text) ? text.toUpperCase() : undefined),
    containerOf: (key) => key.slice(0, key.lastIndexOf('-')),
    toContainer: (name) => name.toUpperCase(),
  }
}

/** Finds the longest name before each number that is tracked: all of the word, or what follows one of its `_`. */
function findInBranch(branch: string, tracked: NonNullable<KeyScope['tracked']>): KeyMention[] {
  return Array.from(branch.matchAll(inBranch)).flatMap(([, word = '', digits = '']) => {
    const parts = word.split('_')
    const names = parts.map((_part, at) => parts.slice(at).join('_'))
    const name = names.find((one) => tracked.has(one.toUpperCase())) ?? word
    const text = `${name}-${digits}`
    return [{ key: text.toUpperCase(), text }]
  })
}
