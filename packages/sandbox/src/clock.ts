/** The sandbox's time: the real one, and as much later as a test or a visitor wants. */
export interface Clock {
  now(): Date
  /** Everything that expires meanwhile has expired. Milliseconds, never negative. */
  advance(ms: number): void
  /** Back to the real time. */
  reset(): void
}

/** Creates a clock that shows the time of this machine, and can be put forward. */
export function createClock(): Clock {
  let aheadMs = 0
  return {
    now: () => new Date(Date.now() + aheadMs),
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError('Time does not go back.')
      aheadMs += ms
    },
    reset() {
      aheadMs = 0
    },
  }
}
