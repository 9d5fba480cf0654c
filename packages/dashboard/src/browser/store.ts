import { useSyncExternalStore } from 'react'

/** Holds one value that changes, shared by the parts of the page. */
export interface Store<Value> {
  readonly get: () => Value
  readonly set: (next: Value) => void
  /** Calls `listener` after each change. Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Creates a store that lives as long as the page. */
export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Creates a store whose text is kept in this browser. `null`: nothing is stored. */
export function createPreference(storageKey: string): Store<string | null> {
  const changes = createStore(0)
  return {
    get: () => localStorage.getItem(storageKey),
    set: (next) => {
      if (next === null) localStorage.removeItem(storageKey)
      else localStorage.setItem(storageKey, next)
      changes.set(changes.get() + 1)
    },
    subscribe: changes.subscribe,
  }
}

/** Reads a store in a component, which renders again when the value changes. */
export function useStore<Value>({
  get,
  subscribe,
}: Pick<Store<Value>, 'get' | 'subscribe'>): Value {
  return useSyncExternalStore(subscribe, get)
}
