import { useSyncExternalStore } from 'react'
import { createStore } from '../../browser/store.ts'

/** Holds something about some cells, such as what is wrong with them. */
export interface CellStore<Value> {
  readonly get: (id: string) => Value | undefined
  /** Sets all cells at once: one that is not in `next` has nothing any more. */
  readonly replace: (next: ReadonlyMap<string, Value>) => void
  /** `undefined` takes the value away. */
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

/** Reads one cell of a store. The component is drawn again only when its own cell has another value. */
export function useCellOf<Value>(
  store: Pick<CellStore<Value>, 'get' | 'subscribe'>,
  id: string,
): Value | undefined {
  return useSyncExternalStore(store.subscribe, () => store.get(id))
}
