import type { Clock } from '../../../../../../sandbox/src/clock.ts'

/** Describes an event as it is sent, the same for each attempt. */
export interface OutgoingEvent {
  readonly appId: number
  /** Identifies the event. It is the same for each attempt, so that a receiver recognises a repetition. */
  readonly guid: string
  readonly event: string
  readonly action: string | null
  readonly installationId: number | null
  readonly repositoryId: number | null
  /** Holds the body as JSON, whatever the content type. */
  readonly json: string
}

/** Describes one attempt to deliver an event, with the request and the response. */
export interface Delivery extends OutgoingEvent {
  readonly id: number
  readonly deliveredAt: Date
  readonly isRedelivery: boolean
  readonly durationSeconds: number
  /** Holds `OK`, or the error. */
  readonly status: string
  readonly statusCode: number
  readonly url: string | undefined
  readonly requestHeaders: Readonly<Record<string, string>>
  /** Holds the response. `undefined`: none. */
  readonly response:
    | { readonly headers: Readonly<Record<string, string>>; readonly body: string }
    | undefined
}

/** Describes the log of deliveries, which GitHub keeps for three days. */
export interface DeliveryLog {
  add(delivery: Delivery): void
  /** Newest first. */
  list(appId: number): readonly Delivery[]
  find(appId: number, id: number): Delivery | undefined
  reset(): void
}

/** @see https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks */
const retentionMs = 3 * 24 * 60 * 60 * 1000

/** Keeps deliveries in memory, and asks the clock each time. */
export function createDeliveryLog(clock: Clock): DeliveryLog {
  let deliveries: Delivery[] = []
  const forgetOld = () => {
    const sinceMs = clock.now().getTime() - retentionMs
    deliveries = deliveries.filter(({ deliveredAt }) => deliveredAt.getTime() > sinceMs)
  }
  return {
    add(delivery) {
      forgetOld()
      deliveries.push(delivery)
    },
    list(appId) {
      forgetOld()
      return deliveries.filter((delivery) => delivery.appId === appId).toReversed()
    },
    find(appId, id) {
      forgetOld()
      return deliveries.find((delivery) => delivery.appId === appId && delivery.id === id)
    },
    reset() {
      deliveries = []
    },
  }
}
