import { snapshotKeyOf, type SnapshotKey, type Published } from './published.ts'

/** Receives every change: the item that is current from now on, or `undefined` when the snapshot is gone. */
export type SnapshotListener<Item> = (snapshotKey: SnapshotKey, item: Item | undefined) => void

/** Names a snapshot of which nothing is published any more, and why. */
export interface EndedSnapshot extends Pick<
  Published,
  'orgId' | 'schemaId' | 'environmentId' | 'environment'
> {
  readonly ended: string
}

/** Holds the current version of every snapshot in memory. */
export interface SnapshotStore<Item extends Published> {
  readonly size: number
  find(snapshotKey: SnapshotKey): Item | undefined
  /** Lists every schema of an organization in an environment, named by id or by name in any case. */
  findInEnvironment(orgId: string, environment: string): readonly Item[]
  list(): Iterable<Item>
  /**
   * Stores the item if it is newer than the stored one, and returns whether it was. Repeats and late arrivals change
   * nothing.
   */
  put(item: Item): boolean
  /** Stores the item even when it is older: the database was restored from a backup. */
  replace(item: Item): void
  remove(snapshotKey: SnapshotKey): void
  /** Notes why nothing is published of a snapshot any more, until something is. */
  end(ended: EndedSnapshot): void
  /** Finds what was noted of a snapshot of an organization. */
  findEnded(snapshotKey: SnapshotKey): EndedSnapshot | undefined
  /** Finds what was noted of an environment, named by its id or by its name in any case. */
  findEndedInEnvironment(orgId: string, environment: string): EndedSnapshot | undefined
  onChange(listener: SnapshotListener<Item>): void
}

type EnvironmentIndex<Item> = ReadonlyMap<string, readonly Item[]>

function indexOf<Item extends Published>(items: Iterable<Item>): EnvironmentIndex<Item> {
  const index = new Map<string, Item[]>()
  for (const item of items) {
    // A name never looks like an id, so the two share one index.
    for (const reference of [item.environmentId, item.environment.toLowerCase()]) {
      const matches = index.get(reference)
      if (matches === undefined) index.set(reference, [item])
      else matches.push(item)
    }
  }
  return index
}

function isNamed({ environmentId, environment }: EndedSnapshot, reference: string): boolean {
  return environmentId === reference || environment.toLowerCase() === reference.toLowerCase()
}

/** Creates an empty store. */
export function createSnapshotStore<Item extends Published>(): SnapshotStore<Item> {
  const items = new Map<string, Item>()
  const ofOrganization = new Map<string, Map<SnapshotKey, Item>>()
  const indexes = new Map<string, EnvironmentIndex<Item>>()
  const listeners: SnapshotListener<Item>[] = []
  const ended = new Map<SnapshotKey, EndedSnapshot>()

  const set = (item: Item) => {
    const snapshotKey = snapshotKeyOf(item)
    items.set(snapshotKey, item)
    ended.delete(snapshotKey)
    const siblings = ofOrganization.get(item.orgId)
    if (siblings === undefined) ofOrganization.set(item.orgId, new Map([[snapshotKey, item]]))
    else siblings.set(snapshotKey, item)
    indexes.delete(item.orgId)
    for (const listener of listeners) listener(snapshotKey, item)
  }

  return {
    get size() {
      return items.size
    },
    find: (snapshotKey) => items.get(snapshotKey),
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
      const held = items.get(snapshotKeyOf(item))
      if (held !== undefined && held.version >= item.version) return false
      set(item)
      return true
    },
    replace: set,
    end: (of) => void ended.set(snapshotKeyOf(of), of),
    findEnded: (snapshotKey) => ended.get(snapshotKey),
    findEndedInEnvironment: (orgId, environment) =>
      [...ended.values()].find((of) => of.orgId === orgId && isNamed(of, environment)),
    remove(snapshotKey) {
      ended.delete(snapshotKey)
      const item = items.get(snapshotKey)
      if (item === undefined) return
      items.delete(snapshotKey)
      const siblings = ofOrganization.get(item.orgId)
      siblings?.delete(snapshotKey)
      if (siblings?.size === 0) ofOrganization.delete(item.orgId)
      indexes.delete(item.orgId)
      for (const listener of listeners) listener(snapshotKey, undefined)
    },
    onChange(listener) {
      listeners.push(listener)
    },
  }
}
