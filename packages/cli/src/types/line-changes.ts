/** Lists the keys that only one of two texts has, with their types. Example: `timeoutMs: number`. */
export interface LineChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/**
 * Returns the lines to add to and remove from `before` to get `after`, in the order of each text. A moved line is no
 * change.
 */
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
