import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompress,
  constants,
  inflateRaw,
  type BrotliOptions,
} from 'node:zlib'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)
const inflate = promisify(inflateRaw)

/** How a body is packed: Brotli, and raw deflate in rows of before. */
export type Packing = 'br' | 'deflate'

/** A body as it is stored. */
export interface PackedBody {
  readonly body: Buffer
  readonly packing: Packing
}

/** Below it the way to another thread and back costs more than the work. */
const inlineBytesMax = 64 * 1024
const [windowBitsMin, windowBitsMax] = [10, 22]

/**
 * The lowest quality: it takes two thirds of the time of the fastest deflate, and JSON of webhooks still shrinks to a fifth. A window
 * no larger than the body, because to make the room of the default takes as long as the work.
 */
function optionsFor({ length }: Buffer): BrotliOptions {
  const windowBits = Math.ceil(Math.log2(length + 16))
  return {
    chunkSize: Math.max(1024, Math.ceil(length / 2)),
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: Math.min(windowBitsMax, Math.max(windowBitsMin, windowBits)),
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
    },
  }
}

/**
 * Packs a body. Not left to PostgreSQL, whose own method takes several times as long and packs less; unpacked, it is
 * six times as much to write.
 */
export async function packBody(body: Buffer): Promise<PackedBody> {
  const options = optionsFor(body)
  const packed =
    body.length <= inlineBytesMax ? brotliCompressSync(body, options) : compress(body, options)
  return { body: await packed, packing: 'br' }
}

/** The body as it came. */
export async function unpackBody({ body, packing }: PackedBody): Promise<Buffer> {
  return packing === 'br' ? decompress(body) : inflate(body)
}
