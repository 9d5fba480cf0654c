import { useCallback, useSyncExternalStore } from 'react'
import { createKeyedListeners } from './keyed-listeners.ts'

/** Something about some cells, such as what is wrong with them. Only the cells of which it changes are drawn again. */
export interface CellStore<Value> {
  readonly get: (id: string) => Value | undefined
  /** All of it at once: what is not in `next` is no longer. */
  readonly replace: (next: ReadonlyMap<string, Value>) => void
  /** `undefined` takes it away. */
  readonly set: (id: string, value: Value | undefined) => void
  readonly subscribe: (id: string, listener: () => void) => () => void
}

export function createCellStore<Value>(): CellStore<Value> {
  let values: ReadonlyMap<string, Value> = new Map()
  const listeners = createKeyedListeners()
  const replace = (next: ReadonlyMap<string, Value>) => {
    const before = values
    values = next
    const ids = new Set([...before.keys(), ...next.keys()])
    listeners.notify([...ids].filter((id) => before.get(id) !== next.get(id)))
  }
  return {
    get: (id) => values.get(id),
    replace,
    set(id, value) {
      const next = new Map(values)
      if (value === undefined) next.delete(id)
      else next.set(id, value)
      replace(next)
    },
    subscribe: (id, listener) => listeners.subscribe(id, listener),
  }
}

/** What a store has about one cell. */
export function useCellOf<Value>(
  store: Pick<CellStore<Value>, 'get' | 'subscribe'>,
  id: string,
): Value | undefined {
  const subscribe = useCallback(
    (listener: () => void) => store.subscribe(id, listener),
    [store, id],
  )
  return useSyncExternalStore(subscribe, () => store.get(id))
}
