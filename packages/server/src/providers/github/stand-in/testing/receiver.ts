import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  receiveWebhooks,
  type Received,
} from '../../../../../../sandbox/src/testing/receive-webhooks.ts'

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Starts a receiver that reads the event, the body and the signature of each webhook. */
export async function startReceiver() {
  const receiver = await receiveWebhooks(read)
  return Object.assign(receiver, { events: () => receiver.received.map(({ event }) => event) })
}

function read({ headers, bytes, raw }: Received) {
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
  const json = isForm ? (new URLSearchParams(raw).get('payload') ?? '') : raw
  const body: Readonly<Record<string, unknown>> = JSON.parse(json)
  return {
    event: String(headers['x-github-event']),
    guid: String(headers['x-github-delivery']),
    headers,
    raw,
    body,
    /** Returns whether the signature is that of `secret` over the bytes that arrived. */
    isSignedWith(secret: string) {
      const mac = createHmac('sha256', secret).update(bytes).digest('hex')
      const given = Buffer.from(String(headers['x-hub-signature-256']))
      const wanted = Buffer.from(`sha256=${mac}`)
      return wanted.length === given.length && timingSafeEqual(wanted, given)
    },
  }
}
