import type { MatrixKey } from '../matrix.ts'

/** Describes the header of the keys that begin with the same word. */
export interface GroupLine {
  /** Identifies the line among keys: no key has such a name. */
  readonly key: string
  /** Holds the common word. `undefined`: keys that share theirs with no other. */
  readonly group: string | undefined
  readonly count: number
  readonly isFolded: boolean
}

/** Describes a line of the grid: a key, or the header of a group. */
export type GridLine = MatrixKey | GroupLine

/** Returns whether a line is the header of a group. */
export function isGroup(line: GridLine): line is GroupLine {
  return 'count' in line
}

/** Returns the first word of a key. Examples: `checkout` of `checkoutTimeoutMs`, `stripe` of `STRIPE_KEY`. */
export function toPrefix(key: string): string {
  const word = /^[A-Z]+(?![a-z])|^[A-Za-z][a-z]*/.exec(key)?.[0] ?? key
  return word.toLowerCase()
}

/**
 * Returns the lines of sorted keys in groups, each below its header. Keys that share their first word with no other are one
 * group, at the end. A folded group is its header alone.
 */
export function groupRows(
  rows: readonly MatrixKey[],
  folded: ReadonlySet<string>,
): readonly GridLine[] {
  const byPrefix = Map.groupBy(rows, ({ key }) => toPrefix(key))
  const groups = [...byPrefix].filter(([, keys]) => keys.length > 1)
  const singles = [...byPrefix].flatMap(([, keys]) => (keys.length > 1 ? [] : keys))
  const all: readonly (readonly [string | undefined, readonly MatrixKey[]])[] = [
    ...groups,
    ...(singles.length > 0 ? [[undefined, singles] as const] : []),
  ]
  return all.flatMap(([group, keys]) => {
    const key = `group:${group ?? ''}`
    const isFolded = folded.has(key)
    const header: GroupLine = { key, group, count: keys.length, isFolded }
    return isFolded ? [header] : [header, ...keys]
  })
}
