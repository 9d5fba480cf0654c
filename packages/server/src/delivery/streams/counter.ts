/** Counts the holders of a key. */
export interface Counted<Key> {
  readonly key: Key
  count: number
}

/** Counts the holders of keys. */
export interface Counter<Key> {
  countOf(key: Key): number
  add(key: Key): Counted<Key>
  remove(held: Counted<Key>): void
  /** Removes one holder by the key. */
  drop(key: Key): void
  keys(): Iterable<Key>
  /** Returns the key with most holders; `undefined` without any. */
  findMost(): Counted<Key> | undefined
}

/** Creates a counter that forgets a key with its last holder. */
export function createCounter<Key>(): Counter<Key> {
  const counted = new Map<Key, Counted<Key>>()
  const remove = (held: Counted<Key>) => {
    held.count -= 1
    if (held.count === 0) counted.delete(held.key)
  }
  return {
    countOf: (key) => counted.get(key)?.count ?? 0,
    add(key) {
      let entry = counted.get(key)
      if (entry === undefined) {
        entry = { key, count: 0 }
        counted.set(key, entry)
      }
      entry.count += 1
      return entry
    },
    remove,
    drop(key) {
      const held = counted.get(key)
      if (held !== undefined) remove(held)
    },
    keys: () => counted.keys(),
    findMost() {
      let most: Counted<Key> | undefined
      for (const held of counted.values()) {
        if (most === undefined || held.count > most.count) most = held
      }
      return most
    },
  }
}
