import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type BrotliOptions,
} from 'node:zlib'
import { signatureHeader } from '@signalbox/contract'
import { renderHeaders } from '../fast/rendered-headers.ts'
import type { Coding } from './coding.ts'
import { renderEtag } from './etag.ts'

/**
 * Holds bytes that are ready to be sent, and the headers that differ. It is flat: with thousands of snapshots, each
 * pointer on the way to the bytes is a wait for memory (bench/delivery-read.ts, P2).
 */
export interface Representation {
  readonly coding: Coding
  readonly payload: Buffer
  /** Holds the same bytes as they are written: see `toWritten`. */
  readonly written: Buffer | string
  /** Holds the `ETag` header. */
  readonly etag: string
  /** Identifies the content in any coding. */
  readonly content: string
  /** Holds the rendered headers of this content alone: `ETag`, `Content-Length`, and others such as `Signalbox-Signature`. */
  readonly headers: string
}

/** Maps the names of headers that belong to one content to what they hold. */
export type ContentHeaders = Readonly<Record<string, string>>

/** Holds the headers of a content that has none of its own. */
export const noHeaders: ContentHeaders = {}

/** Holds a text that was made for one answer, and the headers of it alone. */
export interface Rendered {
  readonly text: string
  readonly headers: ContentHeaders
}

/** Returns the headers of a snapshot that is signed, or not yet. */
export function toSignatureHeaders(signature: string | null | undefined): ContentHeaders {
  return typeof signature === 'string' ? { [signatureHeader]: signature } : noHeaders
}

/** Holds one content in every coding. Each coding is made when it is first requested. */
export interface EncodedBody {
  readonly content: string
  readonly own: ContentHeaders
  readonly identity: Representation
  gzip: Representation | undefined
  br: Representation | undefined
}

/** Bodies up to this size are compressed at once, in 0.3 ms at most. Larger ones are compressed by another thread. */
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

/** Bodies up to this size are written together with their head. Copying larger ones costs more than a second write. */
const writtenAtOnceBytes = 16 * 1024

/**
 * Returns the bytes as the text of latin1 that they are, one character each. Node writes such a text and the head in one piece, which
 * costs 7 % less than a head and a buffer (bench/delivery-read.ts).
 */
function toWritten(payload: Buffer): Buffer | string {
  return payload.length <= writtenAtOnceBytes ? payload.toString('latin1') : payload
}

function represent(
  payload: Buffer,
  coding: Coding,
  { content, own }: Pick<EncodedBody, 'content' | 'own'>,
): Representation {
  const etag = renderEtag(content, coding)
  const headers = renderHeaders({ ETag: etag, 'Content-Length': payload.length, ...own })
  return { coding, payload, written: toWritten(payload), etag, content, headers }
}

/**
 * Prepares `text` for sending. `content` identifies it: another text, and another header of it, needs another value.
 */
export function encodeBody(text: string, content: string, headers = noHeaders): EncodedBody {
  const own = { content, own: headers }
  const identity = represent(Buffer.from(text, 'utf8'), 'identity', own)
  return { ...own, identity, gzip: undefined, br: undefined }
}

/** Returns the text that a body was made from. */
export function readBodyText({ identity }: EncodedBody): string {
  return identity.payload.toString('utf8')
}

/** Returns the bytes in `coding`, or the plain ones while the compression runs or when it saves nothing. */
export function pickRepresentation(body: EncodedBody, coding: Coding): Representation {
  if (coding === 'identity') return body.identity
  return body[coding] ?? compress(body, coding)
}

function compress(body: EncodedBody, coding: 'gzip' | 'br'): Representation {
  const { identity } = body
  const bytes = identity.payload
  const keepShorter = (compressed: Buffer) => {
    const shorter = compressed.length < bytes.length
    const representation = shorter ? represent(compressed, coding, body) : identity
    body[coding] = representation
    return representation
  }
  if (bytes.length <= compressAtOnceBytes) return keepShorter(compressAtOnce(bytes, coding))
  body[coding] = identity
  // If the compression fails for lack of memory, the uncompressed body stays.
  compressLater(bytes, coding).then(keepShorter, () => undefined)
  return identity
}
