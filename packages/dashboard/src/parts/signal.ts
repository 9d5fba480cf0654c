interface Signal {
  readonly send: () => void
  /** Answers how to stop listening. */
  readonly listen: (listener: () => void) => () => void
}

/** What one part of the page asks of another without knowing it, such as a button for a dialog of the frame. */
export function createSignal(): Signal {
  const listeners = new Set<() => void>()
  return {
    send: () => {
      for (const listener of listeners) listener()
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
