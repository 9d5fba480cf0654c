/** The candidates closest to a mistyped `name`, best first, at most three. */
function nearestNames(name: string, candidates: Iterable<string>): string[] {
  const limit = Math.max(2, Math.floor(name.length / 3))
  return [...candidates]
    .map((candidate) => ({
      candidate,
      distance: editDistance(name.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ distance }) => distance <= limit)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/** A sentence to put into a hint, or `undefined` when nothing is near. Example: `Did you mean "staging"?` */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const near = nearestNames(name, candidates).map((candidate) => `"${candidate}"`)
  return near.length === 0 ? undefined : `Did you mean ${near.join(' or ')}?`
}

function editDistance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const current = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      current[j] = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution)
    }
    previous = current
  }
  return previous[other.length] ?? 0
}
