import type { Clock } from '../clock.ts'

/** Describes the sending of events that are independent of each other: a later one may arrive first. */
export interface RetryQueue<Item> {
  /** Sends an item soon. Returns before it has arrived. */
  send(item: Item): void
  /** Drops what has not been delivered. */
  reset(): void
}

interface Delivery<Item> {
  readonly item: Item
  /** Counts the retries. 0 for the first attempt. */
  readonly attempt: number
  readonly dueAtMs: number
  /** Holds its queue. A reset starts another one. */
  readonly queue: Set<Delivery<Item>>
}

/** Sets how often the clock is read for due retries. */
const pollEveryMs = 20

/**
 * Creates a queue. `attempt` resolves to the item as it is to be sent again, or to nothing when it needs no retry. `delaysMs` lists the
 * delays of the retries, each after the attempt before.
 */
export function createRetryQueue<Item>(
  clock: Clock,
  delaysMs: readonly number[],
  attempt: (item: Item, retry: number) => Promise<Item | undefined>,
): RetryQueue<Item> {
  let queue = new Set<Delivery<Item>>()
  let timer: NodeJS.Timeout | undefined
  const poll = () => {
    const nowMs = clock.now().getTime()
    for (const delivery of queue) {
      if (delivery.dueAtMs > nowMs) continue
      queue.delete(delivery)
      void deliver(delivery)
    }
    timer = queue.size === 0 ? undefined : setTimeout(poll, pollEveryMs).unref()
  }
  const enqueue = (delivery: Delivery<Item>) => {
    delivery.queue.add(delivery)
    timer ??= setTimeout(poll, 0).unref()
  }
  const deliver = async (delivery: Delivery<Item>) => {
    const sentAtMs = clock.now().getTime()
    const again = await attempt(delivery.item, delivery.attempt)
    const waitMs = delaysMs[delivery.attempt]
    if (again === undefined || waitMs === undefined) return
    const dueAtMs = sentAtMs + waitMs
    enqueue({ ...delivery, item: again, attempt: delivery.attempt + 1, dueAtMs })
  }
  return {
    send: (item) => enqueue({ item, attempt: 0, dueAtMs: clock.now().getTime(), queue }),
    reset() {
      clearTimeout(timer)
      timer = undefined
      queue = new Set()
    },
  }
}
