import { fieldOf, refuse, type SlackBody, type SlackCall } from '../method.ts'

/** Describes one page of a list, and the cursor of the next. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Holds the cursor of the next page. Empty at the end. */
  readonly nextCursor: string
}

/** Limits a page. The documentation says under 1000, and elsewhere up to 1000. */
const limitMax = 999

/**
 * Returns the page that `limit` and `cursor` ask for, or the rejection of wrong ones. A cursor holds the key of the
 * page's first item.
 */
export function pageOf<Item>(
  call: SlackCall,
  all: readonly Item[],
  keyOf: (item: Item) => string,
): Page<Item> | { readonly refused: SlackBody } {
  const limit = Number(fieldOf(call, 'limit') ?? 100)
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    return { refused: refuse('invalid_limit') }
  }
  const cursor = fieldOf(call, 'cursor')
  const first = cursor === undefined ? 0 : all.findIndex((item) => toCursor(keyOf(item)) === cursor)
  if (first === -1) return { refused: refuse('invalid_cursor') }
  const next = all[first + limit]
  return {
    items: all.slice(first, first + limit),
    nextCursor: next === undefined ? '' : toCursor(keyOf(next)),
  }
}

function toCursor(key: string): string {
  return Buffer.from(`next:${key}`).toString('base64')
}
