/** Returns the list with the item at a place one place further up (`-1`) or down (`1`); at its end it stays as it is. */
export function moveRule<Item>(items: readonly Item[], at: number, step: -1 | 1): readonly Item[] {
  const [item, other] = [items[at], items[at + step]]
  if (item === undefined || other === undefined) return items
  return items.with(at, other).with(at + step, item)
}
