import type { NodeCounts } from './node-counts.ts'

/** Names a limit that the processes of a node share. */
export interface SharedLimit {
  readonly counts: NodeCounts
  readonly name: string
}

/** Tells the other processes of a node what this one has spent of an allowance. */
export interface SpentPortions {
  /** Counts one request more, or one that was refunded. */
  note(subject: string, by: 1 | -1): void
  /** Forgets what the others do not know yet: the subject's allowance is full again. */
  restart(subject: string): void
}

/** Holds the part of a burst that all other processes together may have spent without this one knowing. */
const unknownMost = 1 / 16

/** Bounds the memory. What is forgotten is at most a portion for each subject. */
const subjectsMax = 50_000

/**
 * Opens the portions of a limit. A message for each request would cost more than the request, so a process sends what a subject
 * has spent only once it is a portion. A subject that asks seldom is never sent.
 */
export function openSpentPortions(
  { counts, name }: SharedLimit,
  burst: number,
  apply: (subject: string, count: number) => void,
): SpentPortions {
  const portion = Math.max(1, Math.floor((burst * unknownMost) / counts.processes))
  const send = counts.openSpent(name, apply)
  const unsent = new Map<string, number>()
  return {
    note(subject, by) {
      const count = (unsent.get(subject) ?? 0) + by
      if (Math.abs(count) >= portion) {
        unsent.delete(subject)
        send(subject, count)
        return
      }
      if (unsent.size >= subjectsMax) unsent.clear()
      unsent.set(subject, count)
    },
    restart: (subject) => void unsent.delete(subject),
  }
}
