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

export type DeliveryOutcome = 'lost' | 'once' | 'twice'

/** Describes a delivery that is ready to be sent, with the name of its event. */
export interface Sending {
  readonly event: string
  readonly send: () => Promise<void>
}

/** Describes the faults of deliveries as the sender uses them. */
export interface FlakyTransport extends DeliveryFaults {
  /** Returns whether the next delivery is sent, lost or sent twice, and uses up one fault. */
  takeOutcome(): DeliveryOutcome
  /** Holds back a sending while deliveries are held, and returns whether it did. */
  holdBack(sending: Sending): boolean
}

/** Creates a transport without faults: every delivery arrives once and at once until a test asks for something else. */
export function createFlakyTransport(): FlakyTransport {
  let toLose = 0
  let toRepeat = 0
  let heldSendings: Sending[] | undefined
  return {
    loseNext(count) {
      toLose += count
    },
    repeatNext(count) {
      toRepeat += count
    },
    hold() {
      heldSendings ??= []
    },
    held: () => (heldSendings ?? []).map(({ event }) => event),
    async release(order) {
      const sendings = heldSendings ?? []
      const chosen = (order ?? [...sendings.keys()]).map((index) => sendings[index])
      const isWhole = chosen.length === sendings.length && !chosen.includes(undefined)
      if (!isWhole || new Set(chosen).size !== chosen.length) {
        throw new RangeError(`The order must name each of ${sendings.length} places once.`)
      }
      heldSendings = undefined
      for (const sending of chosen) await sending?.send()
    },
    takeOutcome() {
      if (toLose > 0) {
        toLose -= 1
        return 'lost'
      }
      if (toRepeat === 0) return 'once'
      toRepeat -= 1
      return 'twice'
    },
    holdBack(sending) {
      heldSendings?.push(sending)
      return heldSendings !== undefined
    },
    reset() {
      toLose = 0
      toRepeat = 0
      heldSendings = undefined
    },
  }
}
