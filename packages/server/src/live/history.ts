import type { LiveChange } from './change.ts'
import type { Hint } from './hint-window.ts'
import type { Look } from './rows.ts'

/** What this node remembers of what changed, for readers that come back. */
export interface LiveHistory {
  /** Everything with a lower number was looked at. */
  readonly horizon: bigint
  add(changes: readonly LiveChange[], horizon: bigint): void
  /** Forgets everything: who has not seen all that is below `ceiling` cannot be told what they missed. */
  forget(look: Pick<Look, 'horizon' | 'ceiling'>): void
  /** What changed in an organization since a position; `undefined`: that is not known, or too much to name. */
  since(orgId: string, position: bigint): readonly Hint[] | undefined
}

/** Some minutes of a busy server; at 100 bytes each. */
const keptMax = 20_000
const namedMax = 100

/** Opens an empty history. */
export function createLiveHistory(): LiveHistory {
  let kept: LiveChange[] = []
  /** What is complete begins here. */
  let floor = 0n
  let horizon = 0n
  return {
    get horizon() {
      return horizon
    },
    add(changes, next) {
      horizon = next
      kept.push(...changes)
      if (kept.length <= 2 * keptMax) return
      // They come in the order of their commits, and a smaller number may be committed after a greater one.
      for (const { changedIn } of kept.slice(0, -keptMax))
        if (changedIn >= floor) floor = changedIn + 1n
      kept = kept.slice(-keptMax)
    },
    forget(look) {
      kept = []
      floor = look.ceiling
      horizon = look.horizon
    },
    since(orgId, position) {
      if (position < floor || position > horizon) return undefined
      const hints = new Map<string, Hint>()
      for (const { orgId: of, topic, id, changedIn } of kept) {
        if (of === orgId && changedIn >= position) hints.set(`${topic} ${id}`, { topic, id })
      }
      return hints.size > namedMax ? undefined : [...hints.values()]
    },
  }
}
