/** Names a limit and a subject, and says by how much its count has changed. */
export type CountChange = readonly [limit: string, subject: string, by: number]

/** Holds what a process has counted since its last message. */
export interface CountMessage {
  /** Lists requests: they are counted once and forgotten in time. */
  readonly spent: readonly CountChange[]
  /** Lists what is open: connections and streams. It counts until it is closed, or its process ends. */
  readonly held: readonly CountChange[]
}

/** Counts what the processes of a node hold together. */
export interface HeldCounts {
  /** Counts one more or one less in this process. */
  note(subject: string, by: 1 | -1): void
  /** Returns how many the other processes hold for a subject. */
  ofOthers(subject: string): number
  /** Lists the counts of the other processes. */
  listOthers(): Iterable<readonly [subject: string, count: number]>
  /** Returns how many the other processes hold for all subjects together. */
  sumOfOthers(): number
}

/** Shares counts between the processes of a node, so that its limits are those of all of them together. */
export interface NodeCounts {
  readonly processes: number
  /** Calls `apply` with what the other processes spend of a limit. Returns the function that tells them of more. */
  openSpent(
    limit: string,
    apply: (subject: string, count: number) => void,
  ): (subject: string, count: number) => void
  openHeld(limit: string): HeldCounts
}

/** Shares the counts of one process, which receives those of the others. */
export interface SharedCounts extends NodeCounts {
  receive(from: number, message: CountMessage): void
  /** Takes back what a process held that has ended. */
  forget(from: number): void
}

/** Creates the counts of one process. `send` is called at most once in a turn of the event loop. */
export function createSharedCounts(
  processes: number,
  send: (message: CountMessage) => void,
): SharedCounts {
  const appliers = new Map<string, (subject: string, count: number) => void>()
  const others = new Map<string, OthersHeld>()
  let spent: CountChange[] = []
  let held: CountChange[] = []
  let isDue = false
  const flush = () => {
    isDue = false
    const message = { spent, held }
    spent = []
    held = []
    send(message)
  }
  const sendSoon = () => {
    if (isDue) return
    isDue = true
    setImmediate(flush)
  }
  return {
    processes,
    openSpent(limit, apply) {
      appliers.set(limit, apply)
      return (subject, count) => {
        spent.push([limit, subject, count])
        sendSoon()
      }
    },
    openHeld(limit) {
      const ofOthers = others.get(limit) ?? createOthersHeld()
      others.set(limit, ofOthers)
      return {
        note(subject, by) {
          held.push([limit, subject, by])
          sendSoon()
        },
        ofOthers: (subject) => ofOthers.countOf(subject),
        listOthers: () => ofOthers.list(),
        sumOfOthers: () => ofOthers.sum(),
      }
    },
    receive(from, message) {
      for (const [limit, subject, count] of message.spent) appliers.get(limit)?.(subject, count)
      for (const [limit, subject, by] of message.held) others.get(limit)?.add(from, subject, by)
    },
    forget(from) {
      for (const counts of others.values()) counts.forget(from)
    },
  }
}

interface OthersHeld {
  countOf(subject: string): number
  list(): Iterable<readonly [subject: string, count: number]>
  sum(): number
  add(from: number, subject: string, by: number): void
  forget(from: number): void
}

function createOthersHeld(): OthersHeld {
  const byProcess = new Map<number, Map<string, number>>()
  const together = new Map<string, number>()
  let sum = 0
  const change = (subject: string, by: number) => {
    addTo(together, subject, by)
    sum += by
  }
  return {
    countOf: (subject) => together.get(subject) ?? 0,
    list: () => together,
    sum: () => sum,
    add(from, subject, by) {
      const ofProcess = byProcess.get(from) ?? new Map<string, number>()
      byProcess.set(from, ofProcess)
      addTo(ofProcess, subject, by)
      change(subject, by)
    },
    forget(from) {
      for (const [subject, count] of byProcess.get(from) ?? []) change(subject, -count)
      byProcess.delete(from)
    },
  }
}

/** Adds to a count, which is removed once it is 0. */
export function addTo(counts: Map<string, number>, subject: string, by: number): void {
  const count = (counts.get(subject) ?? 0) + by
  if (count === 0) counts.delete(subject)
  else counts.set(subject, count)
}
