/** The candidate that takes the fewest edits to reach from `name`, for "did you mean"; `undefined` without candidates. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  let nearest: { readonly candidate: string; readonly distance: number } | undefined
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (nearest === undefined || distance < nearest.distance) nearest = { candidate, distance }
  }
  return nearest?.candidate
}

/** Levenshtein's distance: how many letters to insert, delete or replace. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 0; row < from.length; row += 1) {
    const current = [row + 1]
    for (let column = 0; column < to.length; column += 1) {
      const replaced = (previous[column] ?? 0) + (from[row] === to[column] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous[to.length] ?? 0
}
