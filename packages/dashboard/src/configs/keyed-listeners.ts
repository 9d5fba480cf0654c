type Listener = () => void

/** Who wants to know of a change, by what it is a change of: a change of one cell wakes that cell and no other. */
export interface KeyedListeners {
  readonly subscribe: (key: string, listener: Listener) => () => void
  readonly notify: (keys: Iterable<string>) => void
}

export function createKeyedListeners(): KeyedListeners {
  const byKey = new Map<string, Set<Listener>>()
  return {
    subscribe(key, listener) {
      const listeners = byKey.get(key) ?? new Set()
      byKey.set(key, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && byKey.get(key) === listeners) byKey.delete(key)
      }
    },
    notify(keys) {
      for (const key of keys) {
        for (const listener of byKey.get(key) ?? []) listener()
      }
    },
  }
}
