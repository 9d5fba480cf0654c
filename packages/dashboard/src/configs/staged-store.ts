import { useSyncExternalStore } from 'react'
import { createKeyedListeners } from './keyed-listeners.ts'
import { readStored, toStored } from './staged-storage.ts'
import { idOf, type StagedCell } from './staged.ts'

/** The changes of a schema that are not saved. They outlast screens and, but for secrets, reloads of this tab. */
export interface StagedChanges {
  readonly get: (id: string) => StagedCell | undefined
  readonly all: () => readonly StagedCell[]
  readonly put: (changes: readonly StagedCell[]) => void
  readonly drop: (ids: readonly string[]) => void
  readonly clear: () => void
  /** One cell. */
  readonly subscribe: (id: string, listener: () => void) => () => void
  readonly subscribeAll: (listener: () => void) => () => void
  /** How many secrets were staged before the page was loaded again: they are kept nowhere. */
  readonly lostSecrets: number
}

const everything = '*'

function createStagedChanges(storageKey: string): StagedChanges {
  const stored = readStored(sessionStorage.getItem(storageKey))
  let changes: ReadonlyMap<string, StagedCell> = new Map(
    stored.changes.map((change) => [idOf(change), change]),
  )
  let list = stored.changes
  const listeners = createKeyedListeners()

  const set = (next: ReadonlyMap<string, StagedCell>, ids: readonly string[]) => {
    changes = next
    list = [...next.values()]
    keep(storageKey, list)
    listeners.notify([...ids, everything])
  }
  return {
    get: (id) => changes.get(id),
    all: () => list,
    put(given) {
      set(
        new Map([...changes, ...given.map((change) => [idOf(change), change] as const)]),
        given.map(idOf),
      )
    },
    drop(ids) {
      const gone = new Set(ids)
      set(new Map([...changes].filter(([id]) => !gone.has(id))), ids)
    },
    clear: () => set(new Map(), [...changes.keys()]),
    subscribe: (id, listener) => listeners.subscribe(id, listener),
    subscribeAll: (listener) => listeners.subscribe(everything, listener),
    lostSecrets: stored.lostSecrets,
  }
}

/** What is too much for the storage of a tab is not kept over a reload, and staged all the same. */
function keep(storageKey: string, changes: readonly StagedCell[]): void {
  sessionStorage.removeItem(storageKey)
  if (changes.length === 0) return
  try {
    sessionStorage.setItem(storageKey, toStored(changes))
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

const stores = new Map<string, StagedChanges>()

/** The changes that a person has staged for a schema. */
export function stagedChangesOf(personId: string, schemaId: string): StagedChanges {
  const storageKey = `staged/${personId}/${schemaId}`
  const store = stores.get(storageKey) ?? createStagedChanges(storageKey)
  stores.set(storageKey, store)
  return store
}

/** All changes that are staged for a schema. */
export function useStaged(store: StagedChanges): readonly StagedCell[] {
  return useSyncExternalStore(store.subscribeAll, store.all)
}

/**
 * Whoever signs out leaves nothing behind for the next one at this browser, also not with a screen that shows it still.
 * `shell/forget-person.ts`, which says so, empties the storage.
 */
addEventListener('signed-out', () => {
  for (const store of stores.values()) store.clear()
  stores.clear()
})
