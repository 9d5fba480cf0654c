import {
  isRefused,
  judgeManifest,
  judgeMark,
  judgeOrder,
  judgeRecord,
  type BelievedMark,
} from '../../replica/guards.ts'
import type { Listing } from '../../replica/listing.ts'
import type { Mark } from '../../replica/mark.ts'
import { parseRecord, parseSigned } from '../../replica/object-name.ts'
import { orgIdOf, type RecordHeader } from '../../replica/record-header.ts'
import type { Signed } from '../../replica/signed.ts'
import { RefusedError, type ReplicaObject, type Upstream } from './upstream.ts'

/** Limits the objects that are fetched at once. */
const fetchesAtOnce = 64

/** Holds what was believed so far, and the texts of it by their hash: a relay passes them on. */
export interface ReplicaState {
  mark: Mark | undefined
  signed: Signed | undefined
  /** Holds the index of which everything was taken; `undefined` where something was not. */
  taken: string | undefined
  manifests: ReadonlyMap<string, { readonly sha256: string; readonly listing: Listing }>
  readonly headers: Map<string, { readonly header: RecordHeader; readonly name: string }>
  readonly texts: Map<string, string>
}

/** Returns a state in which nothing is known. */
export function emptyReplica(): ReplicaState {
  return {
    mark: undefined,
    signed: undefined,
    taken: undefined,
    manifests: new Map(),
    headers: new Map(),
    texts: new Map(),
  }
}

async function fetchText(
  { texts }: ReplicaState,
  upstream: Upstream,
  object: ReplicaObject,
): Promise<string> {
  return texts.get(object.sha256) ?? (await upstream.readObject(object))
}

/** Describes a mark that is believed, as it is passed on. */
export interface ReadMark extends BelievedMark {
  readonly signed: Signed
  readonly indexText: string
}

/** Reads the mark and its index. @throws {RefusedError} */
export async function readMark(
  state: ReplicaState,
  upstream: Upstream,
  nowMs: number,
): Promise<ReadMark> {
  const signed = parseSigned(await upstream.readMark())
  if (signed === undefined) throw new RefusedError('unreadable', 'mark')
  const context = { publicKeys: upstream.publicKeys, known: state.mark, nowMs }
  const mark = judgeOrder(context, signed)
  if (isRefused(mark)) throw new RefusedError(mark.refused, 'mark')
  const indexText = await fetchText(state, upstream, { sha256: mark.index, orgId: undefined })
  const judged = judgeMark(context, { mark: signed, index: indexText })
  if (isRefused(judged)) throw new RefusedError(judged.refused, 'mark')
  return { ...judged, signed, indexText }
}

/** Reads the manifests that differ from those that are held. @throws {RefusedError} */
export async function readManifests(
  state: ReplicaState,
  upstream: Upstream,
  index: Listing,
): Promise<ReplicaState['manifests']> {
  const manifests = new Map<string, { readonly sha256: string; readonly listing: Listing }>()
  const fetched = await settleInBatches([...index], async ([name, sha256]) => {
    const known = state.manifests.get(name)
    if (known?.sha256 === sha256) return { name, sha256, listing: known.listing }
    const text = await fetchText(state, upstream, { sha256, orgId: orgIdOf(name) })
    const listing = judgeManifest(index, { name, text })
    if (isRefused(listing)) throw new RefusedError(listing.refused, `manifest ${name}`)
    state.texts.set(sha256, text)
    return { name, sha256, listing }
  })
  for (const each of fetched) {
    if (each.status === 'rejected') throw each.reason
    const { name, sha256, listing } = each.value
    manifests.set(name, { sha256, listing })
  }
  return manifests
}

/** Names a record that is listed and not held. */
export interface MissingRecord {
  readonly address: string
  readonly name: string
  readonly listing: Listing
}

/** Lists the records of the manifests whose headers are not held. */
export function listMissing({ manifests, headers }: ReplicaState): MissingRecord[] {
  return [...manifests.values()].flatMap(({ listing }) =>
    [...listing]
      .filter(([address, name]) => headers.get(address)?.name !== name)
      .map(([address, name]) => ({ address, name, listing })),
  )
}

/** Reads a record, and returns its header and content. @throws {RefusedError} */
export async function readRecord(
  state: ReplicaState,
  upstream: Upstream,
  { address, name, listing }: MissingRecord,
): Promise<{ readonly header: RecordHeader; readonly content: string; readonly text: string }> {
  const text = await fetchText(state, upstream, { sha256: name, orgId: orgIdOf(address) })
  const record = parseRecord(text)
  if (record === undefined) throw new RefusedError('unreadable', `record ${address}`)
  const { header: headerText, signatures, content } = record
  const header = judgeRecord(
    {
      publicKeys: upstream.publicKeys,
      known: state.headers.get(address)?.header,
      manifest: listing,
    },
    { header: { text: headerText, signatures }, content: Buffer.from(content), address },
  )
  if (isRefused(header)) throw new RefusedError(header.refused, `record ${address}`)
  return { header, content, text }
}

/** Runs `work` for each item, a batch of them at a time, and returns how each ended, in their order. */
export async function settleInBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = []
  for (let start = 0; start < items.length; start += fetchesAtOnce) {
    const batch = items.slice(start, start + fetchesAtOnce)
    results.push(...(await Promise.allSettled(batch.map(work))))
  }
  return results
}

/** Drops the texts that nothing names any more. */
export function dropTexts({ texts, manifests, headers, mark }: ReplicaState): void {
  const named = new Set([
    mark?.index,
    ...[...manifests.values()].map(({ sha256 }) => sha256),
    ...[...headers.values()].map(({ name }) => name),
  ])
  for (const sha256 of texts.keys()) if (!named.has(sha256)) texts.delete(sha256)
}
