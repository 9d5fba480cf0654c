/** Holds a page of a list, and the item after which the next page begins; `undefined` on the last page. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly last: T | undefined
}

/**
 * Makes a page of rows. Expects the query to have asked for one row more than `limit`, to see whether there are more.
 */
export function toPage<T>(rows: readonly T[], limit: number): Page<T> {
  const items = rows.slice(0, limit)
  return { items, last: rows.length > limit ? items.at(-1) : undefined }
}
