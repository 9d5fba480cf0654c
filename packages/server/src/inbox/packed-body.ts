import { promisify } from 'node:util'
import { constants, deflateRaw, deflateRawSync, inflateRaw, type ZlibOptions } from 'node:zlib'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Below it the way to another thread and back costs more than the work. */
const inlineBytesMax = 64 * 1024
/**
 * The fastest level: the next ones take twice the time for a tenth of the size. With room for what is to be expected: to
 * make the room of zlib's default takes as long as the work.
 */
const optionsFor = ({ length }: Buffer): ZlibOptions => ({
  level: constants.Z_BEST_SPEED,
  chunkSize: Math.max(4096, Math.ceil(length / 4)),
  windowBits: Math.min(15, Math.max(9, Math.ceil(Math.log2(length + 1)))),
  memLevel: length <= inlineBytesMax ? 5 : 8,
})

/** A body as it is stored. JSON of webhooks shrinks to about a quarter. */
export async function packBody(body: Buffer): Promise<Buffer> {
  const options = optionsFor(body)
  return body.length <= inlineBytesMax ? deflateRawSync(body, options) : deflate(body, options)
}

/** The body as it came. */
export async function unpackBody(packed: Buffer): Promise<Buffer> {
  return inflate(packed)
}
