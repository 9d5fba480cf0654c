import type { Maker } from '../../audit/audit-event.ts'
import type { OutgoingEvent, OutgoingFormat } from '@signalbox/contract/rest'

/** Holds an outgoing webhook as it is stored, without its secrets. */
export interface OutgoingWebhook {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly events: readonly OutgoingEvent[]
  readonly format: OutgoingFormat
  readonly enabled: boolean
  readonly hasAuthorization: boolean
  readonly overlapEndsAt: Date | null
  readonly healthReason: string | null
  readonly failingSince: Date | null
  readonly lastSentAt: Date | null
  readonly createdAt: Date
  /** `null`: not known. */
  readonly createdBy: Maker | null
}

/** Holds what is sealed of an outgoing webhook. */
export interface WebhookSecrets {
  /** Example: `whsec_` and Base64 of 32 bytes. */
  readonly secret: string
  /** Signs too until the end of the overlap. */
  readonly previous: string | null
  readonly authorization: string | null
}

/** Holds one event on its way to one address. */
export interface OutgoingMessage {
  readonly id: string
  readonly type: OutgoingEvent | 'webhook.test'
  readonly state: 'waiting' | 'sent' | 'failed'
  readonly attempts: number
  readonly status: number | null
  readonly reason: string | null
  readonly nextAttemptAt: Date | null
  readonly sentAt: Date | null
  readonly createdAt: Date
}

/** Marks a webhook whose address answered that it is gone for good (410). */
export const goneReason = 'http_410'

/** Holds the delays after each failed attempt, in seconds: nine attempts in about a day and a half. */
const delays = [5, 60, 300, 1800, 7200, 18_000, 36_000, 64_800]

/** Returns when a message that failed `attempts` times is tried again; `null`: not by itself. */
export function nextAttempt(attempts: number, now: Date): Date | null {
  const seconds = delays[attempts - 1]
  return seconds === undefined ? null : new Date(now.getTime() + seconds * 1000)
}

/** Names where the secrets of a webhook are stored, for sealing. */
export function secretsContext(orgId: string, id: string): string {
  return `${orgId}|outgoing_webhooks|${id}|secrets`
}
