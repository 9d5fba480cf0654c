import { nameByHash } from '../../replica/listing.ts'
import { noPart, placeName, renderHead, type RecordHead } from '../../replica/record-head.ts'
import type { Signed } from '../../replica/signed.ts'
import type { BrowserItem } from '../browser/browser-item.ts'
import { browserFormat, serverFormat } from '../cache/saved-rows.ts'
import type { ServerRow } from '../server/server-item.ts'

/** Signs what relays are given. Only processes with the API or the worker have the keys. */
export interface ReplicaSigner {
  /** Identifies the keys and the epoch. What was signed in another generation is signed again. */
  readonly generation: number
  readonly epoch: number
  /** Returns the signatures of a text, as they travel. */
  signText(text: string): string
}

/** Describes a record on its way to a relay. */
export interface ReplicaRecord {
  readonly head: RecordHead
  readonly signed: Signed
  readonly place: string
  /** The SHA-256 of the head: the name under which the record is fetched. */
  readonly name: string
  readonly content: string
}

type Unsigned = Omit<RecordHead, 'epoch' | 'sha256' | 'bytes' | 'gone'>

/** Renders and signs a record. */
export function signRecord(
  signer: ReplicaSigner,
  fields: Unsigned,
  content: string,
): ReplicaRecord {
  const head: RecordHead = {
    ...fields,
    epoch: signer.epoch,
    gone: false,
    sha256: nameByHash(content),
    bytes: Buffer.byteLength(content),
  }
  const text = renderHead(head)
  const signed = { text, signatures: signer.signText(text) }
  return { head, signed, place: placeName(head), name: nameByHash(text), content }
}

/** Returns the record of a snapshot for browsers. */
export function toBrowserRecord(signer: ReplicaSigner, item: BrowserItem, oldest: number) {
  const { orgId, environmentId, schemaId, version, etag } = item
  const place = { orgId, environmentId, kind: 'browser', schemaId } as const
  return signRecord(signer, { ...place, version, oldest, etag }, browserFormat.render(item.toRow()))
}

/** Returns the record of a snapshot for servers, its secrets sealed. */
export function toServerRecord(signer: ReplicaSigner, row: ServerRow, oldest: number) {
  const { orgId, environmentId, schemaId, version, etag } = row
  const place = { orgId, environmentId, kind: 'server', schemaId } as const
  return signRecord(signer, { ...place, version, oldest, etag }, serverFormat.render(row))
}

/** Names the place of what belongs to a whole organization, or with `noPart` to the server. */
export function sharedPlace(orgId: string, kind: 'keys' | 'data-keys' | 'token-keys') {
  return { orgId, environmentId: noPart, kind, schemaId: noPart } as const
}

/** Writes a record as it is sent: JSON with the head, its signatures and the content. */
export function renderRecord({ signed, content }: ReplicaRecord): string {
  return JSON.stringify({ head: signed.text, signatures: signed.signatures, content })
}
