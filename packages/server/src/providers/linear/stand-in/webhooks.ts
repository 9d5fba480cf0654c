import { createHmac, randomUUID } from 'node:crypto'
import { createRetryQueue } from '../../../../../sandbox/src/models/retry-queue.ts'
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

interface Delivery {
  readonly id: string
  readonly type: string
  readonly body: string
}

/** Creates the webhooks. A retry has the id, the body and the timestamp of the first attempt. */
export function createLinearWebhooks(state: LinearState): LinearWebhooks {
  const { clock, app } = state
  const queue = createRetryQueue<Delivery>(clock, retryAfterMs, async (delivery) => {
    const url = app.webhookUrl
    return url === undefined || (await isTaken(state, url, delivery)) ? undefined : delivery
  })
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
      queue.send({ id: randomUUID(), type, body })
    },
    reset: () => queue.reset(),
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
