import { createHmac, randomBytes } from 'node:crypto'
import type { GithubApp } from '../state.ts'
import type { OutgoingEvent } from './delivery-log.ts'

/** Describes an event as it is sent: headers and bytes. */
export interface EncodedEvent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const agent = `GitHub-Hookshot/${randomBytes(4).toString('hex').slice(0, 7)}`

const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
} as const

/**
 * Encodes an event with the app's content type, and signs the bytes that are sent.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#delivery-headers
 */
export function encodeEvent(app: GithubApp, { guid, event, json }: OutgoingEvent): EncodedEvent {
  const isForm = app.webhookContentType === 'form'
  const body = Buffer.from(isForm ? new URLSearchParams({ payload: json }).toString() : json)
  return {
    body,
    headers: {
      Accept: '*/*',
      'Content-Length': String(body.length),
      'Content-Type': contentTypes[app.webhookContentType],
      'User-Agent': agent,
      'X-GitHub-Delivery': guid,
      'X-GitHub-Event': event,
      'X-GitHub-Hook-ID': String(app.hookId),
      'X-GitHub-Hook-Installation-Target-ID': String(app.id),
      'X-GitHub-Hook-Installation-Target-Type': 'integration',
      ...(app.webhookSecret !== '' && { 'X-Hub-Signature-256': sign(app.webhookSecret, body) }),
    },
  }
}

function sign(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}
