import { findProvider, providersOfKind } from '../find-provider.ts'
import type { IssueGrammar, KeyMention, KeyScope } from '../tracker.ts'

/** Lists the ways in which trackers name issues, each once. */
const grammars: readonly IssueGrammar[] = [
  ...new Set(providersOfKind('tracker').map(({ grammar }) => grammar)),
]

/** Returns how a tracker names issues. Where none is connected: the way of the first one in the registry. */
export function grammarOf(provider: string | undefined): IssueGrammar {
  const own = provider === undefined ? undefined : findProvider(provider)
  const grammar = own?.kind === 'tracker' ? own.grammar : grammars[0]
  if (grammar === undefined) throw new Error('The registry has no tracker')
  return grammar
}

/** Finds what is a key to any tracker, for texts that are kept until one is connected. */
export function findKeysOfAny(line: string, where: KeyScope): readonly KeyMention[] {
  return grammars.flatMap((grammar) => grammar.findKeys(line, where))
}

/** Returns the stored form of a key that a person types; `undefined` when it is a key to no tracker. */
export function toIssueKey(text: string): string | undefined {
  for (const grammar of grammars) {
    const key = grammar.toKey(text.trim())
    if (key !== undefined) return key
  }
  return undefined
}
