import { addTo, type CountChange, type CountMessage } from '../../http/admission/node-counts.ts'

/** Passes on the counts of each process to the others. */
export interface CountHub {
  /** Tells a process that begins what the others hold. */
  introduce(index: number): void
  receive(from: number, counts: CountMessage): void
  /** Forgets what a process held that has ended. */
  forget(index: number): void
}

/** Creates the hub of a node. It remembers what each process holds for those that begin later. */
export function createCountHub(
  processes: number,
  send: (to: number, from: number, counts: CountMessage) => void,
): CountHub {
  /** Maps each process to its limits, and those to the count of each subject. */
  const held = new Map<number, Map<string, Map<string, number>>>()
  const remember = (from: number, changes: readonly CountChange[]) => {
    const ofProcess = held.get(from) ?? new Map<string, Map<string, number>>()
    held.set(from, ofProcess)
    for (const [limit, subject, by] of changes) {
      const counts = ofProcess.get(limit) ?? new Map<string, number>()
      ofProcess.set(limit, counts)
      addTo(counts, subject, by)
    }
  }
  return {
    introduce(index) {
      for (const [from, ofProcess] of held) {
        const changes = [...ofProcess].flatMap(([limit, counts]) =>
          [...counts].map(([subject, count]): CountChange => [limit, subject, count]),
        )
        if (from !== index && changes.length > 0) send(index, from, { spent: [], held: changes })
      }
    },
    receive(from, counts) {
      remember(from, counts.held)
      for (let to = 0; to < processes; to += 1) if (to !== from) send(to, from, counts)
    },
    forget: (index) => void held.delete(index),
  }
}
