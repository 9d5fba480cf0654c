import type { Clock } from '../../clock.ts'

/** Describes what is sent: the same for each try. */
export interface Parcel {
  readonly appId: number
  /** The same for each try, which is how a receiver recognises a repetition. */
  readonly guid: string
  readonly event: string
  readonly action: string | null
  readonly installationId: number | null
  readonly repositoryId: number | null
  /** The body as JSON, whatever the content type that it goes out with. */
  readonly json: string
}

/** Describes one attempt to deliver an event, with the request and the response. */
export interface Delivery extends Parcel {
  readonly id: number
  readonly deliveredAt: Date
  readonly isRedelivery: boolean
  readonly durationSeconds: number
  /** `OK`, or what went wrong. */
  readonly status: string
  readonly statusCode: number
  readonly url: string | undefined
  readonly requestHeaders: Readonly<Record<string, string>>
  /** `undefined`: nobody answered. */
  readonly response:
    | { readonly headers: Readonly<Record<string, string>>; readonly body: string }
    | undefined
}

/** Describes what was sent to the apps, as GitHub keeps it: for three days. */
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
