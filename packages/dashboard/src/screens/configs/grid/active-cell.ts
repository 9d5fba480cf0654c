import { useSyncExternalStore } from 'react'
import { createStore, type Store } from '../../../browser/store.ts'

/** Locates a cell of the grid by the key of its row and by its column. Column 0 holds the key's name. */
export interface Position {
  readonly key: string
  readonly column: number
}

/** Holds the cell that the keyboard is at. */
export interface ActiveCell extends Pick<Store<Position | undefined>, 'get' | 'subscribe'> {
  readonly move: (to: Position) => void
  readonly isAt: (at: Position) => boolean
}

/** Creates the holder of the active cell. No cell is active at first. */
export function createActiveCell(): ActiveCell {
  const position = createStore<Position | undefined>(undefined)
  const isAt = ({ key, column }: Position) => {
    const current = position.get()
    return current?.key === key && current.column === column
  }
  return {
    get: position.get,
    subscribe: position.subscribe,
    isAt,
    move(to) {
      if (!isAt(to)) position.set(to)
    },
  }
}

/** Returns whether the active cell is in the row of this key. */
export function useActiveKey(active: ActiveCell, key: string): boolean {
  return useSyncExternalStore(active.subscribe, () => active.get()?.key === key)
}

/** Returns whether a cell is the active one. */
export function useIsActive(active: ActiveCell, key: string, column: number): boolean {
  return useSyncExternalStore(active.subscribe, () => active.isAt({ key, column }))
}
