import { useSyncExternalStore } from 'react'
import { createStore } from '../../browser/store.ts'

/** Holds a value for some of the cells, such as their errors. */
export interface CellStore<Value> {
  readonly get: (id: string) => Value | undefined
  /** Replaces the values of all cells. Cells that are not in `next` lose theirs. */
  readonly replace: (next: ReadonlyMap<string, Value>) => void
  /** Sets the value of a cell. `undefined` removes it. */
  readonly set: (id: string, value: Value | undefined) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** Creates a store without any cell. */
export function createCellStore<Value>(): CellStore<Value> {
  const cells = createStore<ReadonlyMap<string, Value>>(new Map())
  return {
    get: (id) => cells.get().get(id),
    replace: cells.set,
    set(id, value) {
      const next = new Map(cells.get())
      if (value === undefined) next.delete(id)
      else next.set(id, value)
      cells.set(next)
    },
    subscribe: cells.subscribe,
  }
}

/** Reads one cell of a store. The component renders again only when that cell changes. */
export function useCellOf<Value>(
  store: Pick<CellStore<Value>, 'get' | 'subscribe'>,
  id: string,
): Value | undefined {
  return useSyncExternalStore(store.subscribe, () => store.get(id))
}
