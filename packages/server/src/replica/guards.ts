import { nameByHash, parseListing, type Listing } from './listing.ts'
import { isOlderMark, parseMark, type Mark } from './mark.ts'
import { addressName, parseHeader, type RecordHeader } from './record-header.ts'
import { isSigned, type Signed } from './signed.ts'

/** Names why something that was offered is not believed. */
export const rejections = [
  'unreadable',
  'signature',
  'hash',
  'address',
  'older',
  'fork',
  'too_old',
  'future',
  'not_in_manifest',
] as const
export type Rejection = (typeof rejections)[number]

/** Says that something that was offered is not believed. Nothing changes then. */
export interface Refused {
  readonly refused: Rejection
}

/** Describes a record as a carrier offers it. */
export interface OfferedRecord {
  readonly header: Signed
  readonly content: Buffer
  /** The address that was asked for. */
  readonly address: string
}

/** Holds what a record is judged by. */
export interface RecordContext {
  readonly publicKeys: readonly string[]
  /** The header that is believed at this address so far. */
  readonly known: RecordHeader | undefined
  /** The manifest that is believed, of the environment of this address. */
  readonly manifest: Listing
}

/**
 * Judges a record, whatever carries it: a stream, a file or another node. Returns its header when it is newer than the known one.
 * Everything that a carrier could alter, mix up or replay is refused here and nowhere else.
 */
export function judgeRecord(
  { publicKeys, known, manifest }: RecordContext,
  { header: signed, content, address }: OfferedRecord,
): RecordHeader | Refused {
  const header = parseHeader(signed.text)
  if (header === undefined) return { refused: 'unreadable' }
  if (!isSigned(publicKeys, signed)) return { refused: 'signature' }
  if (addressName(header) !== address) return { refused: 'address' }
  if (nameByHash(content) !== header.sha256 || content.length !== header.bytes) {
    return { refused: 'hash' }
  }
  if (manifest.get(address) !== nameByHash(signed.text)) return { refused: 'not_in_manifest' }
  const refused = findOutdated(header, known)
  return refused === undefined ? header : { refused }
}

function findOutdated(
  header: RecordHeader,
  known: RecordHeader | undefined,
): Rejection | undefined {
  if (header.version < header.oldest) return 'too_old'
  if (known === undefined || header.epoch > known.epoch) return undefined
  if (header.epoch < known.epoch || header.version < known.version) return 'older'
  // The same version with other content: somebody published it twice.
  return header.version === known.version && header.etag !== known.etag ? 'fork' : undefined
}

/** Judges a manifest of the index. Returns the headers that it lists by address; all are of its environment. */
export function judgeManifest(
  index: Listing,
  { name, text }: { readonly name: string; readonly text: string },
): Listing | Refused {
  if (index.get(name) !== nameByHash(text)) return { refused: 'hash' }
  const manifest = parseListing(text)
  if (manifest === undefined) return { refused: 'unreadable' }
  const isOfIt = [...manifest.keys()].every((address) => address.startsWith(`${name}.`))
  return isOfIt ? manifest : { refused: 'address' }
}

/** Describes a mark and its index as a carrier offers them. */
export interface OfferedMark {
  readonly mark: Signed
  readonly index: string
}

/** Describes a mark that is believed, and the manifests that it names. */
export interface BelievedMark {
  readonly mark: Mark
  readonly index: Listing
}

/** Limits how far a mark may be ahead of this node's clock: further, and its age would say nothing. */
const clockSkewMs = 5 * 60_000

/** Holds what a mark is judged by. */
export interface MarkContext {
  readonly publicKeys: readonly string[]
  readonly known: Mark | undefined
  readonly nowMs: number
}

/** Judges a mark without its index, which who replays an old one may not have. */
export function judgeOrder(
  { publicKeys, known, nowMs }: MarkContext,
  signed: Signed,
): Mark | Refused {
  const mark = parseMark(signed.text)
  if (mark === undefined) return { refused: 'unreadable' }
  if (!isSigned(publicKeys, signed)) return { refused: 'signature' }
  if (mark.atMs > nowMs + clockSkewMs) return { refused: 'future' }
  return known !== undefined && isOlderMark(mark, known) ? { refused: 'older' } : mark
}

/** Judges a mark with its index. Returns both when they are as new as the known mark, or newer. */
export function judgeMark(
  { publicKeys, known, nowMs }: MarkContext,
  { mark: signed, index: text }: OfferedMark,
): BelievedMark | Refused {
  const mark = judgeOrder({ publicKeys, known, nowMs }, signed)
  if (isRefused(mark)) return mark
  if (nameByHash(text) !== mark.index) return { refused: 'hash' }
  const index = parseListing(text)
  return index === undefined ? { refused: 'unreadable' } : { mark, index }
}

/** Returns whether something was refused. */
export function isRefused(judged: object): judged is Refused {
  return 'refused' in judged
}
