import { HintWindow, type Hint } from './hint-window.ts'

/** Hints on their way to the streams of organizations, a tenth of a second at a time. */
export interface Outboxes {
  /** Sends what may be sent at once. `before`: the position that readers had until these. */
  offer(orgId: string, hints: readonly Hint[], before: bigint): void
  /** What readers of an organization have seen for certain, while something waits for them. */
  positionOf(orgId: string): bigint | undefined
  /** Forgets what waits. */
  clear(): void
}

interface Outbox {
  readonly window: HintWindow
  /** Everything that waits came after it. */
  readonly position: bigint
}

export interface OutboxesDeps {
  readonly send: (orgId: string, hints: readonly Hint[], position: bigint) => void
  /** What whoever has been sent everything has seen. */
  readonly latest: () => bigint
  /** Default 100. */
  readonly windowMs?: number
}

export function createOutboxes({ send, latest, windowMs = 100 }: OutboxesDeps): Outboxes {
  const outboxes = new Map<string, Outbox>()
  let turning: NodeJS.Timeout | undefined
  const turnAll = () => {
    turning = undefined
    for (const [orgId, { window, position }] of outboxes) {
      send(orgId, window.turn(), position)
      if (window.isEmpty) outboxes.delete(orgId)
      else outboxes.set(orgId, { window, position: latest() })
    }
    if (outboxes.size > 0) beginTurn()
  }
  const beginTurn = () => {
    turning ??= setTimeout(turnAll, windowMs).unref()
  }
  return {
    offer(orgId, hints, before) {
      const outbox = outboxes.get(orgId) ?? { window: new HintWindow(), position: before }
      outboxes.set(orgId, outbox)
      const admitted = hints.filter((hint) => outbox.window.admit(hint))
      send(orgId, admitted, outbox.position)
      beginTurn()
    },
    positionOf: (orgId) => outboxes.get(orgId)?.position,
    clear() {
      outboxes.clear()
      clearTimeout(turning)
      turning = undefined
    },
  }
}
