import type { IssueGrammar, KeyMention } from '../tracker.ts'

/**
 * Matches a project key, a hyphen, a number. Every repetition is bounded, so the time grows with the length of the text and no
 * faster. `MY_PROJ-7` is of the project `MY_PROJ`, and never of `PROJ`.
 */
export const hyphenKeyPattern =
  /(?<![A-Za-z0-9_])([A-Z][A-Z0-9_]{1,9})-[1-9][0-9]{0,8}(?![A-Za-z0-9_])/g
const anyCasePattern = new RegExp(hyphenKeyPattern, 'gi')
const none: readonly KeyMention[] = []
const wholePattern = /^[A-Za-z][A-Za-z0-9_]{1,9}-[1-9][0-9]{0,8}$/

/**
 * Creates the grammar of keys such as `ABC-12`: they mean the same issue wherever they stand. Case counts, because `utf-8` is more
 * often a word than a key. It does not in names of branches, which people write in lower case, as long as it is known which
 * containers there are.
 */
export function createHyphenKeys(container: IssueGrammar['container']): IssueGrammar {
  return {
    container,
    findKeys(line, { source, tracked }) {
      // Most lines are empty or name nothing, and a search costs more than this look.
      if (!line.includes('-')) return none
      const pattern = source === 'branch' && tracked !== null ? anyCasePattern : hyphenKeyPattern
      return Array.from(line.matchAll(pattern), ([text]) => ({ key: text.toUpperCase(), text }))
    },
    toKey: (text) => (wholePattern.test(text) ? text.toUpperCase() : undefined),
    containerOf: (key) => key.slice(0, key.lastIndexOf('-')),
    toContainer: (name) => name.toUpperCase(),
  }
}
