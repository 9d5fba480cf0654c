interface Placed {
  readonly id: string
  readonly createdAt: string
}

/** Holds the entries that stay in place, and the newer ones that the reader has yet to ask for. */
export interface Split<Item> {
  readonly fresh: readonly Item[]
  readonly former: readonly Item[]
}

/**
 * Splits a list, newest first, at the entry that was on top when the person began to read, so that nothing moves. If
 * that entry is gone, its time decides. If the list was empty, all entries are shown.
 */
export function splitNew<Item extends Placed>(
  items: readonly Item[],
  top: Placed | undefined,
): Split<Item> {
  if (top === undefined) return { fresh: [], former: items }
  const index = items.findIndex(
    ({ id, createdAt }) => id === top.id || Date.parse(createdAt) < Date.parse(top.createdAt),
  )
  const at = index === -1 ? items.length : index
  return { fresh: items.slice(0, at), former: items.slice(at) }
}
