import type { HeldCounts } from '../../http/admission/node-counts.ts'
import { createCounter, type Counted, type Counter } from './counter.ts'

/**
 * Creates a counter of this process whose `countOf` and `findMost` also count what the other processes of the node hold. Without
 * `shared` it counts what this process holds.
 */
export function createNodeCounter(shared: HeldCounts | undefined): Counter<string> {
  const own = createCounter<string>()
  if (shared === undefined) return own
  const countOf = (key: string) => own.countOf(key) + shared.ofOthers(key)
  return {
    keys: () => own.keys(),
    countOf,
    add(key) {
      shared.note(key, 1)
      return own.add(key)
    },
    remove(held) {
      shared.note(held.key, -1)
      own.remove(held)
    },
    drop(key) {
      if (own.countOf(key) > 0) shared.note(key, -1)
      own.drop(key)
    },
    findMost() {
      let most: Counted<string> | undefined
      const names = new Set(own.keys())
      for (const [name] of shared.listOthers()) names.add(name)
      for (const key of names) {
        const count = countOf(key)
        if (most === undefined || count > most.count) most = { key, count }
      }
      return most
    },
  }
}
