/** Returns the list with the item at an index moved up (`-1`) or down (`1`) by one. At the end of the list it stays. */
export function moveRule<Item>(items: readonly Item[], at: number, step: -1 | 1): readonly Item[] {
  const [item, other] = [items[at], items[at + step]]
  if (item === undefined || other === undefined) return items
  return items.with(at, other).with(at + step, item)
}
