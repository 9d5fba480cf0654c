/** Describes faults on the way to the receivers of webhooks. No provider has them on purpose. */
export interface DeliveryFaults {
  /** Loses the next `count` deliveries: the receiver gets none of them. */
  loseNext(count: number): void
  /** Sends the next `count` deliveries twice, with the same id and the same bytes. */
  repeatNext(count: number): void
  /** Holds all deliveries back until `release`. */
  hold(): void
  /** Lists the held events in their order. Example: `deployment_status`. */
  held(): readonly string[]
  /**
   * Sends the held deliveries one after the other, in this order of their indexes, such as `[2, 0, 1]`. Default:
   * their own order.
   *
   * @throws {RangeError} The order does not name each index once.
   */
  release(order?: readonly number[]): Promise<void>
  /** Removes all faults. Held deliveries are never sent. */
  reset(): void
}

/** Describes a webhook that is ready to be sent. */
export interface Sending {
  /** Names its event. Example: `deployment_status`. */
  readonly event: string
  readonly post: () => Promise<unknown>
  /** Notes that it was lost on the way. Default: nobody notices. */
  readonly lose?: () => Promise<unknown>
  /** Says whether it is still sent when its turn comes. Default: it is. */
  readonly isDue?: () => boolean
}

/** Describes how a code host sends webhooks: without waiting for the one before, and with the faults that tests ask for. */
export interface HookSender {
  readonly faults: DeliveryFaults
  /** Sends a webhook. Returns before it has arrived. */
  send(sending: Sending): void
  /** Counts a request as under way until it has ended. */
  track(sending: Promise<unknown>): void
  /** Resolves when nothing is under way. What is held back does not count. */
  settled(): Promise<void>
}

/** Creates a sender without faults: every webhook arrives once and at once until a test asks for something else. */
export function createHookSender(): HookSender {
  let toLose = 0
  let toRepeat = 0
  let held: Sending[] | undefined
  const { track, settled } = createTracker()
  const attempt = async ({ post, lose, isDue }: Sending) => {
    if (isDue?.() === false) return
    if (toLose > 0) {
      toLose -= 1
      await lose?.()
      return
    }
    const times = toRepeat > 0 ? 2 : 1
    toRepeat = Math.max(0, toRepeat - 1)
    for (let sent = 0; sent < times; sent += 1) await post()
  }
  const faults: DeliveryFaults = {
    loseNext(count) {
      toLose += count
    },
    repeatNext(count) {
      toRepeat += count
    },
    hold() {
      held ??= []
    },
    held: () => (held ?? []).map(({ event }) => event),
    async release(order) {
      const sendings = held ?? []
      const chosen = (order ?? [...sendings.keys()]).map((index) => sendings[index])
      const isWhole = chosen.length === sendings.length && !chosen.includes(undefined)
      if (!isWhole || new Set(chosen).size !== chosen.length) {
        throw new RangeError(`The order must name each of ${sendings.length} places once.`)
      }
      held = undefined
      for (const sending of chosen) if (sending !== undefined) await track(attempt(sending))
    },
    reset() {
      toLose = 0
      toRepeat = 0
      held = undefined
    },
  }
  return {
    faults,
    send(sending) {
      if (held === undefined) void track(attempt(sending))
      else held.push(sending)
    },
    track: (sending) => void track(sending),
    settled,
  }
}

/** Counts what is under way. */
function createTracker() {
  const underWay = new Set<Promise<unknown>>()
  return {
    track: async (sending: Promise<unknown>) => {
      underWay.add(sending)
      try {
        await sending
      } finally {
        underWay.delete(sending)
      }
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}
