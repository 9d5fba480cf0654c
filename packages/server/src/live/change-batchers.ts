import { ChangeWindow, type ChangeRef } from './change-window.ts'

/** Batches the changes on their way to the streams, a tenth of a second at a time, for each organization. */
export interface ChangeBatchers {
  /** Sends the changes that may be sent at once. `before` is the position that readers had before these. */
  offer(orgId: string, changes: readonly ChangeRef[], before: bigint): void
  /** Returns the position that readers of an organization have reached for certain, while something waits for them. */
  positionOf(orgId: string): bigint | undefined
  /** Forgets the waiting changes. */
  clear(): void
}

interface Batcher {
  readonly window: ChangeWindow
  /** Holds the position before everything that waits. */
  readonly position: bigint
}

/** Describes where batches go. */
export interface ChangeBatchersDeps {
  readonly send: (orgId: string, changes: readonly ChangeRef[], position: bigint) => void
  /** Returns the position of a reader that was sent everything. */
  readonly latest: () => bigint
  /** Sets the length of a window. Default 100. */
  readonly windowMs?: number
}

/** Creates batchers with nothing waiting. */
export function createChangeBatchers({
  send,
  latest,
  windowMs = 100,
}: ChangeBatchersDeps): ChangeBatchers {
  const batchers = new Map<string, Batcher>()
  let turning: NodeJS.Timeout | undefined
  const flushAll = () => {
    turning = undefined
    for (const [orgId, { window, position }] of batchers) {
      send(orgId, window.flush(), position)
      if (window.isEmpty) batchers.delete(orgId)
      else batchers.set(orgId, { window, position: latest() })
    }
    if (batchers.size > 0) scheduleFlush()
  }
  const scheduleFlush = () => {
    turning ??= setTimeout(flushAll, windowMs).unref()
  }
  return {
    offer(orgId, changes, before) {
      const batcher = batchers.get(orgId) ?? { window: new ChangeWindow(), position: before }
      batchers.set(orgId, batcher)
      const fresh = changes.filter((change) => batcher.window.add(change))
      send(orgId, fresh, batcher.position)
      scheduleFlush()
    },
    positionOf: (orgId) => batchers.get(orgId)?.position,
    clear() {
      batchers.clear()
      clearTimeout(turning)
      turning = undefined
    },
  }
}
