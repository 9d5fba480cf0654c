import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { EndpointShape } from '@signalbox/contract/rest'
import type { RawAnswer } from '../input/endpoint-request.ts'
import type { Exchange } from '../exchange.ts'

const gzipLater = promisify(gzip)

/** Below this size, compression takes longer than it saves. */
const compressFromBytes = 32 * 1024

/**
 * Compresses a large answer for a client that accepts gzip, in a thread beside the event loop. Only endpoints that
 * declare `compresses` are compressed: the length of a compressed answer can reveal secrets in it (BREACH).
 */
export async function compressAnswer(
  { compresses }: Pick<EndpointShape, 'compresses'>,
  { header }: Pick<Exchange, 'header'>,
  answer: RawAnswer,
): Promise<RawAnswer> {
  if (compresses !== true) return answer
  const headers = { ...answer.headers, Vary: 'Accept-Encoding' }
  if (answer.body.length < compressFromBytes || !takesGzip(header('accept-encoding'))) {
    return { ...answer, headers }
  }
  return {
    ...answer,
    headers: { ...headers, 'Content-Encoding': 'gzip' },
    body: await gzipLater(answer.body),
  }
}

/** Returns whether `Accept-Encoding` names gzip with a weight above zero. */
function takesGzip(acceptEncoding: string | undefined): boolean {
  const codings = (acceptEncoding ?? '').toLowerCase().split(',')
  return codings.some((coding) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/.test(coding))
}
