import type { Readable } from 'node:stream'
import { Problem } from '@signalbox/contract'
import type { HeldBody } from './body-budget.ts'

/** Holds the headers that describe a body. */
export interface BodyHeaders {
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  readonly contentLength: string | undefined
  readonly transferEncoding: string | undefined
}

const jsonType = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?$/i

/** Returns whether a request declares a body. */
export function hasBody({ contentLength, transferEncoding }: BodyHeaders): boolean {
  return transferEncoding !== undefined || (contentLength !== undefined && contentLength !== '0')
}

/**
 * Refuses a body that is not declared as JSON. Any page on the web can send a form or `text/plain` without a preflight,
 * but not `application/json`.
 *
 * @throws {Problem} `unsupported_media_type` or `unsupported_encoding`.
 */
export function requireJson(headers: BodyHeaders): void {
  refuseEncoded(headers)
  if (headers.contentType === undefined || !jsonType.test(headers.contentType)) {
    const detail = 'Send the body with Content-Type: application/json.'
    throw new Problem('unsupported_media_type', detail)
  }
}

/** Refuses a compressed body, because a small one could expand to a very large one. */
export function refuseEncoded({ contentEncoding }: BodyHeaders): void {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported_encoding', 'Send the body without Content-Encoding.')
  }
}

/**
 * Reads a body of at most `maxBytes`. Holds no more than that and one chunk in memory, whatever length was declared.
 * Uses events, because ending an iteration early would destroy the socket before the rejection is sent. Its listeners are
 * not removed: after the first removal Node looks up all events of the request more slowly (bench/ofrep.ts, P3).
 *
 * `hold` begins the body's part of a budget, where the sender is not known yet.
 *
 * @throws {Problem} `body_too_large`; `overloaded` when the budget has no room.
 */
export function readBody(
  source: Readable,
  { contentLength }: BodyHeaders,
  maxBytes: number,
  hold?: (giveWay: (rejection: Problem) => void) => HeldBody,
): Promise<Buffer> {
  if (contentLength !== undefined && Number(contentLength) > maxBytes) {
    return Promise.reject(tooLarge(maxBytes))
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const refuse = (rejection: Problem) => {
      held?.release()
      chunks.length = 0
      source.off('data', onData).pause()
      reject(rejection)
    }
    const held = hold?.(refuse)
    const onData = (chunk: Buffer) => {
      size += chunk.length
      const rejection = size > maxBytes ? tooLarge(maxBytes) : held?.hold(chunk.length)
      if (rejection === undefined) chunks.push(chunk)
      else refuse(rejection)
    }
    const onEnd = () => {
      held?.release()
      resolve(joinChunks(chunks))
    }
    const onCut = () => {
      if (source.readableEnded) return
      held?.release()
      reject(new Problem('invalid_json', 'The body ended before it was complete.'))
    }
    if (source.readableEnded) onEnd()
    else if (source.destroyed) onCut()
    else source.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut)
  })
}

/** Joins the chunks. Almost every body arrives in one. */
function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [only, ...others] = chunks
  return only === undefined || others.length > 0 ? Buffer.concat(chunks) : only
}

function tooLarge(maxBytes: number): Problem {
  return new Problem('body_too_large', `The body may have at most ${maxBytes} bytes.`)
}
