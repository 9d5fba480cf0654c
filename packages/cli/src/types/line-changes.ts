/** The keys that one text has and the other has not, with their types. Example: `timeoutMs: number`. */
export interface LineChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Returns what turns `before` into `after`, in the order of each text. Moved lines are no change. */
export function findLineChanges(before: string, after: string): LineChanges {
  const old = linesOf(before)
  const next = linesOf(after)
  return { added: without(next, old), removed: without(old, next) }
}

function linesOf(text: string): string[] {
  return [...text.matchAll(/^ +readonly (.+): Validator<(.*)>$/gm)].map(
    ([, key, type]) => `${key}: ${type}`,
  )
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return lines.filter((line) => !known.has(line))
}
