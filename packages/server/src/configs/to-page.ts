/** A page of a list: what was asked for, and the item to go on after when there are more. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly last: T | undefined
}

/** Makes a page of rows of which one more than `limit` was asked for. */
export function toPage<T>(rows: readonly T[], limit: number): Page<T> {
  const items = rows.slice(0, limit)
  return { items, last: rows.length > limit ? items.at(-1) : undefined }
}
