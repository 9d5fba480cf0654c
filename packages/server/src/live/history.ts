import type { LiveChange } from './change.ts'
import type { ChangeRef } from './change-window.ts'
import type { ChangesPoll } from './rows.ts'

/** Remembers recent changes, for readers that reconnect. */
export interface LiveHistory {
  /** Holds the number up to which all changes were read. */
  readonly xmin: bigint
  add(changes: readonly LiveChange[], xmin: bigint): void
  /** Forgets everything. A reader that has not seen all below `xmax` can no longer be served from here. */
  forget(poll: Pick<ChangesPoll, 'xmin' | 'xmax'>): void
  /** Lists what changed in an organization since a position; `undefined` when that is unknown, or too much to name. */
  since(orgId: string, position: bigint): readonly ChangeRef[] | undefined
}

/** Limits the remembered changes: some minutes of a busy server, 100 bytes each. */
const recentMax = 20_000
const namedMax = 100

/** Opens an empty history. */
export function createLiveHistory(): LiveHistory {
  let recent: LiveChange[] = []
  /** The history is complete from this number on. */
  let completeFrom = 0n
  let xmin = 0n
  return {
    get xmin() {
      return xmin
    },
    add(changes, next) {
      xmin = next
      recent.push(...changes)
      if (recent.length <= 2 * recentMax) return
      // Changes arrive in the order of their commits, and a smaller number may be committed after a greater one.
      for (const { changedIn } of recent.slice(0, -recentMax))
        if (changedIn >= completeFrom) completeFrom = changedIn + 1n
      recent = recent.slice(-recentMax)
    },
    forget(poll) {
      recent = []
      completeFrom = poll.xmax
      xmin = poll.xmin
    },
    since(orgId, position) {
      if (position < completeFrom || position > xmin) return undefined
      const refs = new Map<string, ChangeRef>()
      for (const { orgId: of, topic, id, changedIn } of recent) {
        if (of === orgId && changedIn >= position) refs.set(`${topic} ${id}`, { topic, id })
      }
      return refs.size > namedMax ? undefined : [...refs.values()]
    },
  }
}
