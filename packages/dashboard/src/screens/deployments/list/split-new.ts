interface Placed {
  readonly id: string
  readonly createdAt: string
}

/** Describes what stays where it is, and what came since and is shown when the reader asks for it. */
export interface Split<Item> {
  readonly fresh: readonly Item[]
  readonly former: readonly Item[]
}

/**
 * Splits a list, newest first, at the entry that stood on top when the reader began: nothing moves under their eyes. Where
 * that entry is gone, its time decides. Nothing was there yet: all of it is new, and there is nothing to be moved.
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
