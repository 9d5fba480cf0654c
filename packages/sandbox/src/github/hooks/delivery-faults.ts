/** Describes what goes wrong on the way to the apps. None of it is GitHub's doing: it repeats nothing by itself. */
export interface DeliveryFaults {
  /** The next `count` deliveries never arrive; GitHub notes that nobody could be reached. */
  loseNext(count: number): void
  /** The next `count` deliveries arrive twice, with the same GUID and the same bytes. */
  repeatNext(count: number): void
  /** From now on nothing is sent, until `release`. */
  hold(): void
  /** Returns what is held, in the order in which it happened. Example: `deployment_status`. */
  held(): readonly string[]
  /**
   * Sends what is held one after the other, in this order of its places, such as `[2, 0, 1]`; default: as it happened.
   *
   * @throws {RangeError} The order does not name each place once.
   */
  release(order?: readonly number[]): Promise<void>
  /** Everything arrives once and at once again. What is held is never sent. */
  reset(): void
}

/** Describes what becomes of one delivery. */
export type Fate = 'lost' | 'once' | 'twice'

/** Describes a delivery that is ready to be sent, with the name of its event. */
export interface Sending {
  readonly event: string
  readonly send: () => Promise<void>
}

/** Describes the faults of deliveries as the sender uses them. */
export interface FlakyTransport extends DeliveryFaults {
  /** Returns whether the next delivery is sent, lost or sent twice, and uses up one fault. */
  takeFate(): Fate
  /** Holds back a sending while deliveries are held, and returns whether it did. */
  keepBack(sending: Sending): boolean
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
    takeFate() {
      if (toLose > 0) {
        toLose -= 1
        return 'lost'
      }
      if (toRepeat === 0) return 'once'
      toRepeat -= 1
      return 'twice'
    },
    keepBack(sending) {
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
