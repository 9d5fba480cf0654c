/** Returns the candidate that is most similar to a mistyped `name`, for "did you mean". `undefined`: none is similar. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  return nearestNames(name, candidates)[0]
}

/**
 * Returns the candidates that a mistyped `name` may mean, the most similar first. One letter in three may be wrong. A
 * beginning of three letters or more matches the whole, in both directions: `env` and `environment`; its plural, `envs`, does too.
 */
export function nearestNames(name: string, candidates: Iterable<string>): string[] {
  const typed = name.toLowerCase()
  const mistakesMax = Math.max(1, Math.floor(name.length / 3))
  return [...candidates]
    .map((candidate) => ({ candidate, distance: distanceOf(typed, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= mistakesMax)
    .sort((one, other) => one.distance - other.distance)
    .map(({ candidate }) => candidate)
}

const beginningLettersMin = 3

function distanceOf(typed: string, candidate: string): number {
  const shorter = Math.min(typed.length, candidate.length)
  const edits = editDistance(typed, candidate)
  if (edits === 0) return 0
  if (isBeginning(typed.replace(/s$/, ''), candidate) || isBeginning(candidate, typed)) return 1
  // Two names without a common letter are not similar.
  return edits < shorter ? edits : Number.POSITIVE_INFINITY
}

function isBeginning(beginning: string, whole: string): boolean {
  return beginning.length >= beginningLettersMin && whole.startsWith(beginning)
}

/** Returns how many letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 0; row < from.length; row += 1) {
    const current = [row + 1]
    for (let column = 0; column < to.length; column += 1) {
      const replaced = (previous[column] ?? 0) + (from[row] === to[column] ? 0 : 1)
      const isSwapped = row > 0 && from[row] === to[column - 1] && from[row - 1] === to[column]
      current.push(
        Math.min(
          replaced,
          (previous[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
          isSwapped ? (beforePrevious[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforePrevious = previous
    previous = current
  }
  return previous[to.length] ?? 0
}
