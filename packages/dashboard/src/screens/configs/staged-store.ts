import { createStore, useStore } from '../../browser/store.ts'
import { createEditHistory, type Cells } from './edit-history.ts'
import { readStored, toStored } from './staged-storage.ts'
import { idOf, type StagedCell } from './staged.ts'

/** Describes the unsaved changes of a schema. They survive navigation and, except for secrets, reloads of this tab. */
export interface StagedChanges {
  readonly get: (id: string) => StagedCell | undefined
  readonly all: () => readonly StagedCell[]
  /** Stages changes, and drops the staged changes of the cells `without`, as one edit. */
  readonly put: (changes: readonly StagedCell[], without?: readonly string[]) => void
  readonly drop: (ids: readonly string[]) => void
  readonly clear: () => void
  /** Removes changes that are saved. Nothing before that can be undone. */
  readonly settle: (ids: readonly string[]) => void
  /** Undoes the last edit, and returns the ids of its cells. */
  readonly undo: () => readonly string[]
  /** Redoes the last undone edit, and returns the ids of its cells. */
  readonly redo: () => readonly string[]
  readonly subscribe: (listener: () => void) => () => void
  /** Counts the staged secrets that the last reload lost: they are stored nowhere. */
  readonly lostSecrets: number
}

const toNothing = (ids: readonly string[]): Cells => new Map(ids.map((id) => [id, undefined]))

function createStagedChanges(storageKey: string): StagedChanges {
  const stored = readStored(sessionStorage.getItem(storageKey))
  const state = createStore({
    byId: new Map(stored.changes.map((change) => [idOf(change), change])),
    list: stored.changes,
  })
  const history = createEditHistory()

  const apply = (cells: Cells) => {
    const next = new Map(state.get().byId)
    for (const [id, change] of cells) {
      if (change === undefined) next.delete(id)
      else next.set(id, change)
    }
    const list = [...next.values()]
    saveInTab(storageKey, list)
    state.set({ byId: next, list })
    return [...cells.keys()]
  }
  const act = (after: Cells) => {
    history.note(new Map([...after.keys()].map((id) => [id, state.get().byId.get(id)])), after)
    apply(after)
  }
  return {
    get: (id) => state.get().byId.get(id),
    all: () => state.get().list,
    put: (edits, without = []) =>
      act(
        new Map([...toNothing(without), ...edits.map((change) => [idOf(change), change] as const)]),
      ),
    drop: (ids) => act(toNothing(ids)),
    clear() {
      history.forget()
      apply(toNothing([...state.get().byId.keys()]))
    },
    settle(ids) {
      history.forget()
      apply(toNothing(ids))
    },
    undo: () => apply(history.undo() ?? new Map()),
    redo: () => apply(history.redo() ?? new Map()),
    subscribe: state.subscribe,
    lostSecrets: stored.lostSecrets,
  }
}

/** Stores changes for a reload. Changes that exceed the tab's storage stay staged, but a reload loses them. */
function saveInTab(storageKey: string, changes: readonly StagedCell[]): void {
  sessionStorage.removeItem(storageKey)
  if (changes.length === 0) return
  try {
    sessionStorage.setItem(storageKey, toStored(changes))
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

const stores = new Map<string, StagedChanges>()

/** Returns the changes that a person has staged for a schema. */
export function stagedChangesOf(personId: string, schemaId: string): StagedChanges {
  const storageKey = `staged/${personId}/${schemaId}`
  const store = stores.get(storageKey) ?? createStagedChanges(storageKey)
  stores.set(storageKey, store)
  return store
}

/** Returns all changes that are staged for a schema, and renders again when they change. */
export function useStaged(store: StagedChanges): readonly StagedCell[] {
  return useStore({ get: store.all, subscribe: store.subscribe })
}

/**
 * Drops everything at the sign-out, so that the next person at this browser finds nothing, even on a screen that is
 * still shown. `session/forget-person.ts` sends the event and empties the storage.
 */
addEventListener('signed-out', () => {
  for (const store of stores.values()) store.clear()
  stores.clear()
})
