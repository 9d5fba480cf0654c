/** The name of `known` that `given` was most likely meant to be, or `undefined` when none is near. */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  const lower = given.toLowerCase()
  let nearest: string | undefined
  let least = Math.min(3, Math.ceil(given.length / 3)) + 1
  for (const name of known) {
    if (Math.abs(name.length - given.length) >= least) continue
    const distance = editDistance(lower, name.toLowerCase(), least)
    if (distance < least) [nearest, least] = [name, distance]
  }
  return nearest
}

/** How many letters have to be added, taken away or changed; `limit` when it is that many or more. */
function editDistance(from: string, to: string, limit: number): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const change = from[i - 1] === to[j - 1] ? 0 : 1
      const kept = (row[j - 1] ?? 0) + change
      next.push(Math.min(kept, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    if (Math.min(...next) >= limit) return limit
    row = next
  }
  return row[to.length] ?? limit
}
