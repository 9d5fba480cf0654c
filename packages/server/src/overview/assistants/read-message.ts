import { Problem } from '@signalbox/contract'

const clientInfoKey = 'io.modelcontextprotocol/clientInfo'

/**
 * Reads a message of the protocol. One message is one request: a batch would pass the rate limit as one. Nothing is
 * subscribed to, because no list of this server changes.
 *
 * @throws {Problem} `validation_failed`
 */
export function readMessage(body: unknown) {
  if (!isRecord(body)) throw refused('Send one JSON-RPC message.')
  const { method, params } = body
  if (method === 'subscriptions/listen') throw refused('This server has no subscriptions.')
  const record = isRecord(params) ? params : {}
  const meta = isRecord(record['_meta']) ? record['_meta'] : {}
  const client = meta[clientInfoKey] ?? record['clientInfo']
  const name = method === 'tools/call' ? record['name'] : undefined
  return {
    /** Holds the program as it names itself. Clients before 2026-07-28 name themselves at the beginning alone. */
    client: isRecord(client) ? client : undefined,
    /** Names the tool that is called; `undefined`: the message calls none. */
    tool: typeof name === 'string' ? name : undefined,
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refused(detail: string): Problem {
  return new Problem('validation_failed', detail)
}
