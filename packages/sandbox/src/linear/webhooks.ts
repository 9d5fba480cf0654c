import { createHmac, randomUUID } from 'node:crypto'
import type { LinearState } from './state.ts'

/** Describes the webhooks of the application. */
export interface LinearWebhooks {
  /** Sends a webhook; returns before anything has arrived. Nothing is sent while the application has no address. */
  emit(type: string, action: string, more?: Readonly<Record<string, unknown>>): void
  /** Drops what has not been delivered. */
  reset(): void
}

/** Lists the delays of the retries, each after the attempt before. */
const retryAfterMs = [60_000, 3_600_000, 6 * 3_600_000]
const answerWithinMs = 5_000
/** Sets how often the clock is read for due retries. */
const pollEveryMs = 20

interface Delivery {
  readonly id: string
  readonly type: string
  readonly body: string
  readonly attempt: number
  readonly dueAtMs: number
  readonly queue: Set<Delivery>
}

/** Creates the webhooks. A retry has the id, the body and the timestamp of the first attempt. */
export function createLinearWebhooks(state: LinearState): LinearWebhooks {
  const { clock, app } = state
  let queue = new Set<Delivery>()
  let timer: NodeJS.Timeout | undefined

  function poll() {
    const nowMs = clock.now().getTime()
    for (const delivery of queue) {
      if (delivery.dueAtMs > nowMs) continue
      queue.delete(delivery)
      void deliver(delivery)
    }
    timer = queue.size === 0 ? undefined : setTimeout(poll, pollEveryMs).unref()
  }

  function enqueue(delivery: Delivery) {
    delivery.queue.add(delivery)
    timer ??= setTimeout(poll, 0).unref()
  }

  async function deliver(delivery: Delivery) {
    const url = app.webhookUrl
    if (url === undefined || (await isTaken(state, url, delivery))) return
    const waitMs = retryAfterMs[delivery.attempt]
    if (waitMs === undefined) return
    const dueAtMs = clock.now().getTime() + waitMs
    enqueue({ ...delivery, attempt: delivery.attempt + 1, dueAtMs })
  }

  return {
    emit(type, action, more = {}) {
      if (app.webhookUrl === undefined) return
      const at = clock.now()
      const body = JSON.stringify({
        action,
        type,
        createdAt: at.toISOString(),
        ...more,
        organizationId: state.workspace.id,
        webhookTimestamp: at.getTime(),
        webhookId: app.webhookId,
      })
      enqueue({ id: randomUUID(), type, body, attempt: 0, dueAtMs: at.getTime(), queue })
    },
    reset() {
      clearTimeout(timer)
      timer = undefined
      queue = new Set()
    },
  }
}

/** Sends a delivery. Only 200 within five seconds is an answer to Linear. */
async function isTaken(
  { app }: LinearState,
  url: string,
  { id, type, body }: Delivery,
): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Linear-Webhook',
        'linear-delivery': id,
        'linear-event': type,
        'linear-signature': createHmac('sha256', app.webhookSecret).update(body).digest('hex'),
        'linear-timestamp': String(Reflect.get(Object(JSON.parse(body)), 'webhookTimestamp')),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerWithinMs),
    })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  }
}
