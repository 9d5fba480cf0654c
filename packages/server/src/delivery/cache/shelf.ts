import { pairKeyOf, type PairKey, type Published } from './published.ts'

/** Told of every change: the item that is current from here on, or `undefined` when the pair is gone. */
export type ShelfListener<Item> = (pair: PairKey, item: Item | undefined) => void

/** The current item of every pair, in memory. */
export interface Shelf<Item extends Published> {
  readonly size: number
  find(pair: PairKey): Item | undefined
  /** Every schema of an organization in an environment, given by id or by name without regard to case. */
  findInEnvironment(orgId: string, environment: string): readonly Item[]
  list(): Iterable<Item>
  /** Takes an item that is newer than the one it has. Answers whether it did: repeats and late arrivals change nothing. */
  put(item: Item): boolean
  /** Takes an item whatever it has: the database was replaced by another one. */
  replace(item: Item): void
  remove(pair: PairKey): void
  onChange(listener: ShelfListener<Item>): void
}

type EnvironmentIndex<Item> = ReadonlyMap<string, readonly Item[]>

function indexOf<Item extends Published>(items: Iterable<Item>): EnvironmentIndex<Item> {
  const index = new Map<string, Item[]>()
  for (const item of items) {
    // A name never looks like an id, so the two share one index.
    for (const reference of [item.environmentId, item.environment.toLowerCase()]) {
      const found = index.get(reference)
      if (found === undefined) index.set(reference, [item])
      else found.push(item)
    }
  }
  return index
}

/** Makes an empty shelf. */
export function createShelf<Item extends Published>(): Shelf<Item> {
  const items = new Map<string, Item>()
  const ofOrganization = new Map<string, Map<PairKey, Item>>()
  const indexes = new Map<string, EnvironmentIndex<Item>>()
  const listeners: ShelfListener<Item>[] = []

  const set = (item: Item) => {
    const pair = pairKeyOf(item)
    items.set(pair, item)
    const siblings = ofOrganization.get(item.orgId)
    if (siblings === undefined) ofOrganization.set(item.orgId, new Map([[pair, item]]))
    else siblings.set(pair, item)
    indexes.delete(item.orgId)
    for (const listener of listeners) listener(pair, item)
  }

  return {
    get size() {
      return items.size
    },
    find: (pair) => items.get(pair),
    findInEnvironment(orgId, environment) {
      let index = indexes.get(orgId)
      if (index === undefined) {
        const siblings = ofOrganization.get(orgId)
        if (siblings === undefined) return []
        index = indexOf(siblings.values())
        indexes.set(orgId, index)
      }
      return index.get(environment) ?? index.get(environment.toLowerCase()) ?? []
    },
    list: () => items.values(),
    put(item) {
      const held = items.get(pairKeyOf(item))
      if (held !== undefined && held.version >= item.version) return false
      set(item)
      return true
    },
    replace: set,
    remove(pair) {
      const item = items.get(pair)
      if (item === undefined) return
      items.delete(pair)
      const siblings = ofOrganization.get(item.orgId)
      siblings?.delete(pair)
      if (siblings?.size === 0) ofOrganization.delete(item.orgId)
      indexes.delete(item.orgId)
      for (const listener of listeners) listener(pair, undefined)
    },
    onChange(listener) {
      listeners.push(listener)
    },
  }
}
