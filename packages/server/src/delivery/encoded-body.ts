import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type BrotliOptions,
} from 'node:zlib'
import type { Coding } from './coding.ts'
import { renderEtag } from './etag.ts'
import type { HeaderPolicy } from './header-policy.ts'

/** Bytes that are ready to be sent, and what the headers say of them. */
export interface Representation {
  readonly coding: Coding
  /**
   * Small bodies are strings of bytes, one character each: node:http sends those together with the headers in one
   * write, which is a quarter faster than two (bench/delivery-read.ts).
   */
  readonly payload: string | Buffer
  readonly sizeBytes: number
  /** Names the content, whatever the coding. */
  readonly content: string
  /** The `ETag` header. */
  readonly etag: string
  /** Headers made for earlier answers. */
  readonly prepared: Map<HeaderPolicy, PreparedHeaders>
}

/** Names and values, alternating. Written to the socket as they are, after the few that differ were put in. */
export interface PreparedHeaders {
  readonly full: string[]
  readonly notModified: string[]
}

/** One content in every coding. Each coding is made when it is first asked for. */
export interface EncodedBody {
  /** What to send to a client that prefers `coding`: that, or `identity` while it is being made or is no shorter. */
  pick(coding: Coding): Representation
  /** The text it was made of. */
  readText(): string
}

const payloadStringBytes = 16 * 1024
/** Compressed at once: in 0.3 ms at most. Larger ones are compressed by another thread. */
const compressAtOnceBytes = 8 * 1024
const gzipLevel = 6
const gzipLater = promisify(gzip)
const brotliLater = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)

function brotliOptions(sizeBytes: number): BrotliOptions {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  return { params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_SIZE_HINT]: sizeBytes } }
}

function compressAtOnce(bytes: Buffer, coding: 'gzip' | 'br'): Buffer {
  if (coding === 'gzip') return gzipSync(bytes, { level: gzipLevel })
  return brotliCompressSync(bytes, brotliOptions(bytes.length))
}

function compressLater(bytes: Buffer, coding: 'gzip' | 'br'): Promise<Buffer> {
  if (coding === 'gzip') return gzipLater(bytes, { level: gzipLevel })
  return brotliLater(bytes, brotliOptions(bytes.length))
}

function represent(bytes: Buffer, coding: Coding, content: string): Representation {
  return {
    coding,
    payload: bytes.length <= payloadStringBytes ? bytes.toString('latin1') : bytes,
    sizeBytes: bytes.length,
    content,
    etag: renderEtag(content, coding),
    prepared: new Map(),
  }
}

/** Prepares `text` for sending. `content` names it: other text, other name. */
export function encodeBody(text: string, content: string): EncodedBody {
  const bytes = Buffer.from(text, 'utf8')
  const made: { [C in Coding]?: Representation } = {}
  const identity = represent(bytes, 'identity', content)
  const keepShorter = (coding: 'gzip' | 'br', compressed: Buffer) => {
    const shorter = compressed.length < bytes.length
    const kept = shorter ? represent(compressed, coding, content) : identity
    made[coding] = kept
    return kept
  }
  return {
    readText: () => bytes.toString('utf8'),
    pick(coding) {
      if (coding === 'identity') return identity
      const ready = made[coding]
      if (ready !== undefined) return ready
      if (bytes.length <= compressAtOnceBytes) {
        return keepShorter(coding, compressAtOnce(bytes, coding))
      }
      made[coding] = identity
      // Should the compression fail, for want of memory, the uncompressed body stays.
      compressLater(bytes, coding).then(
        (compressed) => keepShorter(coding, compressed),
        () => undefined,
      )
      return identity
    },
  }
}
