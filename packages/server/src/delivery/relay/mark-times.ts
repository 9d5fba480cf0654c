/** Compares the times in marks, by the publisher's clock, with moments of this node's clock. */
export interface MarkTimes {
  /** Takes the time of a mark that was just believed. */
  note(atMs: number): void
  /** Returns whether the newest mark was signed after this moment. */
  isAfter(moment: Date): boolean
}

/** Remembers as many marks as come in a quarter of a minute. */
const remembered = 16
/** Keeps away from a moment that two clocks only nearly agree on. */
const marginMs = 100

/**
 * Creates what has seen no mark. A mark that comes before its time shows how far the publisher's clock is ahead at least. One that
 * comes late may have had a long way, so nothing is made of it: in doubt a mark is older than the question.
 */
export function createMarkTimes(now: () => Date): MarkTimes {
  const delaysMs: number[] = []
  let newestMs = -Infinity
  return {
    note(atMs) {
      newestMs = atMs
      delaysMs.push(now().getTime() - atMs)
      if (delaysMs.length > remembered) delaysMs.shift()
    },
    isAfter: (moment) => newestMs + Math.min(0, ...delaysMs) > moment.getTime() + marginMs,
  }
}
