import { z } from 'zod'
import { readForeignJson } from '../../egress/foreign-json.ts'
import type { TrackerEvent } from '../tracker-event.ts'

const envelope = z.object({
  type: z.unknown().optional(),
  action: z.unknown().optional(),
  organizationId: z.unknown().optional(),
  webhookTimestamp: z.unknown().optional(),
})

/** Parses the body of a webhook; `payload` is `undefined` when it is no JSON. */
export function readLinearBody(body: Buffer): {
  readonly payload: unknown
  readonly fields: z.output<typeof envelope>
} {
  const payload = readForeignJson(body)
  return { payload, fields: envelope.safeParse(payload).data ?? {} }
}

const ignored = (reason: string): TrackerEvent => ({ type: 'ignored', reason })

const changed = z.object({
  data: z.object({ id: z.string().max(64), identifier: z.string().max(64) }),
})

/** An issue that moved to another team has another identifier, and its id stays. */
function readIssue(payload: unknown): TrackerEvent {
  const { data } = changed.safeParse(payload).data ?? {}
  if (data === undefined) return ignored('The body doesn’t fit this event.')
  return { type: 'issueChanged', key: data.identifier.toUpperCase(), externalId: data.id }
}

/**
 * Reads what a webhook of Linear tells us. Never throws: what cannot be read, and what is none of ours, is `ignored` with a reason.
 *
 * @see https://linear.app/developers/webhooks
 */
export function parseLinearEvent(event: string, body: Buffer): TrackerEvent {
  const { payload, fields } = readLinearBody(body)
  if (payload === undefined) return ignored('The body is not valid JSON.')
  if (event === 'Issue') return readIssue(payload)
  if (event !== 'OAuthApp') return ignored('Signalbox doesn’t use this event.')
  if (fields.action === 'revoked') return { type: 'accessRevoked' }
  return ignored('The application was not revoked.')
}
