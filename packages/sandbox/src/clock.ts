/** Describes the sandbox's time: the time of this machine, plus whatever a test or a visitor has added. */
export interface Clock {
  now(): Date
  /** Moves the time forward by milliseconds, never backwards. Whatever expires in between has expired. */
  advance(ms: number): void
  /** Returns to the real time. */
  reset(): void
}

/** Creates a clock that shows this machine's time and can be moved forward. */
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
