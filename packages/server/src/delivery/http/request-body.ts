import { Problem } from '@signalbox/contract'
import { hasBody, readBody, requireJson } from '../../http/input/body.ts'
import type { Exchange } from './answer.ts'

/**
 * Reads the bytes of a JSON body. The rejection of an empty body shows `example`.
 *
 * @throws {Problem} `unsupported_media_type`, `unsupported_encoding`, `invalid_json`, `body_too_large`
 */
export function readRequestBody(
  { request }: Pick<Exchange, 'request'>,
  { maxBytes, example }: { readonly maxBytes: number; readonly example: string },
): Promise<Buffer> {
  const headers = {
    contentType: request.headers['content-type'],
    contentEncoding: request.headers['content-encoding'],
    contentLength: request.headers['content-length'],
    transferEncoding: request.headers['transfer-encoding'],
  }
  requireJson(headers)
  if (!hasBody(headers)) throw new Problem('invalid_json', `Send a JSON body, such as ${example}.`)
  return readBody(request, headers, maxBytes)
}
