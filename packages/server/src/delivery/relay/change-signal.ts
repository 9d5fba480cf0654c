/** Tells listeners that something has changed: a moment after the first change, and several changes as one. */
export interface ChangeSignal {
  note(): void
  onChange(listener: () => void): void
  /** Counts the changes, without the moment that listeners wait for. */
  count(): number
  close(): void
}

/** Waits for the changes of the same commit. */
const togetherMs = 5
/** Limits how often listeners are called while one change follows the other. */
const spacingMs = 250

/** Creates a signal that nobody listens to. */
export function createChangeSignal(nowMs: () => number = () => performance.now()): ChangeSignal {
  const listeners: (() => void)[] = []
  let calledAtMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let count = 0
  return {
    count: () => count,
    note() {
      count += 1
      if (timer !== undefined) return
      const pauseMs = Math.max(togetherMs, calledAtMs + spacingMs - nowMs())
      timer = setTimeout(() => {
        timer = undefined
        calledAtMs = nowMs()
        for (const listener of listeners) listener()
      }, pauseMs).unref()
    },
    onChange: (listener) => void listeners.push(listener),
    close: () => clearTimeout(timer),
  }
}
