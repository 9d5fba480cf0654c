import { parseForeignJson } from '../../egress/foreign-json.ts'

const formField = 'payload='

/**
 * Returns the payload of a webhook: JSON, or a form with the JSON in its field `payload`, as a hook may be set up to send it.
 * `undefined` for anything else, whatever it is.
 */
export function readWebhookBody(body: Buffer): unknown {
  const text = body.toString('utf8')
  const json = text.startsWith(formField) ? new URLSearchParams(text).get('payload') : text
  try {
    return parseForeignJson(json ?? '')
  } catch {
    return undefined
  }
}
