import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { EndpointShape } from '@signalbox/contract/rest'
import type { RawAnswer } from '../input/endpoint-request.ts'
import type { Exchange } from '../exchange.ts'

const gzipLater = promisify(gzip)

/** Below it the time that it takes is not won back on the way. */
const compressFromBytes = 32 * 1024

/**
 * An answer as it is sent to a client that takes gzip: large ones of endpoints that say so are compressed, by a thread
 * beside the event loop. No other endpoint is: the length of what is compressed tells of secrets in it (BREACH).
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

/** Whether `Accept-Encoding` names gzip, and not with a weight of zero. */
function takesGzip(acceptEncoding: string | undefined): boolean {
  const codings = (acceptEncoding ?? '').toLowerCase().split(',')
  return codings.some((coding) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/.test(coding))
}
