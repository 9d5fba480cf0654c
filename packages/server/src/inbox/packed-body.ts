import { promisify } from 'node:util'
import { constants, deflateRaw, deflateRawSync, inflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Below it the way to another thread and back costs more than the work. */
const inlineBytesMax = 64 * 1024
/** The fastest level: the next ones take twice the time for a tenth of the size. */
const options = { level: constants.Z_BEST_SPEED }

/** A body as it is stored. JSON of webhooks shrinks to about a quarter. */
export async function packBody(body: Buffer): Promise<Buffer> {
  return body.length <= inlineBytesMax ? deflateRawSync(body, options) : deflate(body, options)
}

/** The body as it came. */
export async function unpackBody(packed: Buffer): Promise<Buffer> {
  return inflate(packed)
}
