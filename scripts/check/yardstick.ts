import { createHash } from 'node:crypto'

/** The median of so many rounds is not that of a round in which the engine still compiled. */
const rounds = 9

/**
 * Measures the processor seconds of a fixed piece of work, which is of the kinds that the steps do. A step is recorded as a
 * multiple of it, because a second of one machine is not a second of another.
 */
export function measureYardstick(): number {
  const spent = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1e6
  })
  return spent.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}

/** Writes and parses JSON, matches, sorts, groups and hashes the same 40,000 rows. */
function work(): string {
  const rows = Array.from({ length: 40_000 }, (_, i) => {
    const mixed = Math.imul(i, 0x9e3779b1) >>> 0
    return { id: mixed.toString(36), path: `/rows/${mixed % 977}/${i}`, tags: [i % 7, i % 11] }
  })
  const parsed: typeof rows = JSON.parse(JSON.stringify(rows))
  const sorted = parsed.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const groups = Map.groupBy(sorted, ({ path }) => /^\/rows\/(\d+)\//.exec(path)?.[1])
  const hash = createHash('sha256')
  for (const group of groups.values()) hash.update(JSON.stringify(group))
  return hash.digest('hex')
}
