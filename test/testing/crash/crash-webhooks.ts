import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ProofService } from '../proof-service.ts'
import { sampleStatus, type WebhookSender } from '../webhooks/webhook-sender.ts'

/** A code host that sends webhooks, and remembers which of them were acknowledged. */
export interface SentWebhooks {
  readonly accepted: readonly string[]
  /** Lists those that were acknowledged and are not stored. */
  listLost(): Promise<string[]>
  /** Counts those that are stored and not done. */
  countOpen(): Promise<number>
  stop(): Promise<void>
}

const senders = 2
const betweenMs = 50

/** Sends to the process that serves at the moment. */
export function sendWebhooks(proof: ProofService, sender: WebhookSender): SentWebhooks {
  const body = sampleStatus(7)
  const accepted: string[] = []
  const ending = new AbortController()
  const work = async () => {
    while (!ending.signal.aborted) {
      const deliveryId = randomUUID()
      const url = `${proof.current().apiUrl}/webhooks/codehost`
      const asked = {
        method: 'POST',
        body: new Uint8Array(body),
        headers: sender.headersOf(body, { deliveryId }),
      }
      const answer = await fetch(url, asked).catch(() => undefined)
      if (answer?.status === 202) accepted.push(deliveryId)
      await delay(betweenMs)
    }
  }
  const working = Promise.all(Array.from({ length: senders }, work))
  return {
    accepted,
    async listLost() {
      const rows = await proof.asOwner<{ id: string }>(
        'select delivery_id as id from received_webhooks',
      )
      const stored = new Set(rows.map(({ id }) => id))
      return accepted.filter((id) => !stored.has(id))
    },
    async countOpen() {
      const sql = `select from received_webhooks where state not in ('done', 'ignored')`
      return (await proof.asOwner(sql)).length
    },
    async stop() {
      ending.abort()
      await working
    },
  }
}
