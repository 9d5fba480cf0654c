import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { FaultKind } from './faults.ts'
import type { Answer } from './route.ts'

/** Sends the result of `run`, or fails as `fault` says. Returns the status. `undefined`: no response was sent. */
export async function answerWith(
  fault: FaultKind | undefined,
  response: ServerResponse,
  run: () => Promise<Answer>,
): Promise<number | undefined> {
  switch (fault?.kind) {
    case 'drop':
      return closeConnection(response)
    case 'answer':
      return send(response, fault)
    case 'cut':
      await run()
      return closeConnection(response)
    case 'hang':
      await run()
      return undefined
    case 'drip':
      return sendByteByByte(response, await run(), fault.everyMs)
    case 'slow':
      await delay(fault.ms)
      return send(response, await run())
    case 'hold':
      await fault.until
      return send(response, await run())
    case undefined:
      return send(response, await run())
  }
}

function closeConnection(response: ServerResponse): undefined {
  response.destroy()
}

/** Sends a response, and returns its status. */
export function send(response: ServerResponse, { status, headers, body }: Answer): number {
  response.writeHead(status, { ...headers })
  response.end(body)
  return status
}

async function sendByteByByte(
  response: ServerResponse,
  { status, headers, body = '' }: Answer,
  everyMs: number,
): Promise<number> {
  response.writeHead(status, { ...headers })
  for (const byte of Buffer.from(body)) {
    if (response.destroyed) return status
    response.write(Buffer.from([byte]))
    await delay(everyMs)
  }
  response.end()
  return status
}
