/** The lines that one text has and the other has not, without the blanks around them. */
export interface LineChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** What turns `before` into `after`, in the order of each text. Moved lines are no change. */
export function findLineChanges(before: string, after: string): LineChanges {
  const old = linesOf(before)
  const next = linesOf(after)
  return { added: without(next, old), removed: without(old, next) }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('readonly '))
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return lines.filter((line) => !known.has(line))
}
