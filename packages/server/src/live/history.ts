import type { LiveChange } from './change.ts'
import type { Hint } from './hint-window.ts'

/** What this node remembers of what changed, for readers that come back. */
export interface LiveHistory {
  add(changes: readonly LiveChange[]): void
  /** Forgets everything: what came before `horizon` is not known. */
  forget(horizon: bigint): void
  /** What changed in an organization since a position; `undefined`: that is not known, or too much to name. */
  since(orgId: string, position: bigint): readonly Hint[] | undefined
}

/** Some minutes of a busy server; at 100 bytes each. */
const keptMax = 20_000
const namedMax = 100

/** Opens an empty history. */
export function createLiveHistory(): LiveHistory {
  let kept: LiveChange[] = []
  let floor: bigint | undefined
  return {
    add(changes) {
      kept.push(...changes)
      if (kept.length <= 2 * keptMax) return
      const forgotten = kept.slice(0, -keptMax)
      kept = kept.slice(-keptMax)
      // They come in the order of their commits, and a smaller number may be committed after a greater one.
      for (const { changedIn } of forgotten)
        if (floor === undefined || changedIn >= floor) floor = changedIn + 1n
    },
    forget(horizon) {
      kept = []
      floor = horizon
    },
    since(orgId, position) {
      if (floor === undefined || position < floor) return undefined
      const hints = new Map<string, Hint>()
      for (const { orgId: of, topic, id, changedIn } of kept) {
        if (of === orgId && changedIn >= position) hints.set(`${topic} ${id}`, { topic, id })
      }
      return hints.size > namedMax ? undefined : [...hints.values()]
    },
  }
}
