/** Compares the times in marks, by the publisher's clock, with moments of this node's clock. */
export interface MarkTimes {
  /** Takes the time of a mark that was just believed. */
  note(atMs: number): void
  /** Returns whether the newest mark was signed after this moment. */
  isAfter(moment: Date): boolean
}

/** Remembers as many marks as come in a quarter of a minute. */
const remembered = 16
/** Takes so much of a delay for the way that a mark has come. The rest is what the clocks are apart. */
const wayMs = 500
/** Allows for a publisher whose clock is behind by so much. Further, and no mark of it counts as new. */
const behindMsMax = 5_000
/** Keeps away from a moment that two clocks only nearly agree on. */
const marginMs = 100

/**
 * Creates what has seen no mark. The clocks are compared by the least delay of the last marks, and in doubt a mark is taken
 * for older than it is.
 */
export function createMarkTimes(now: () => Date): MarkTimes {
  const delaysMs: number[] = []
  let newestMs = -Infinity
  const differenceMs = () => {
    const least = Math.min(...delaysMs)
    return least < 0 ? least : Math.min(Math.max(0, least - wayMs), behindMsMax)
  }
  return {
    note(atMs) {
      newestMs = atMs
      delaysMs.push(now().getTime() - atMs)
      if (delaysMs.length > remembered) delaysMs.shift()
    },
    isAfter: (moment) => newestMs + differenceMs() > moment.getTime() + marginMs,
  }
}
