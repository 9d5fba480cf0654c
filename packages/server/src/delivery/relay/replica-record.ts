import { nameByHash } from '../../replica/listing.ts'
import {
  addressName,
  noPart,
  renderHeader,
  type RecordHeader,
} from '../../replica/record-header.ts'
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
  readonly header: RecordHeader
  readonly signed: Signed
  readonly address: string
  /** The SHA-256 of the header: the name under which the record is fetched. */
  readonly name: string
  readonly content: string
}

type Unsigned = Omit<RecordHeader, 'epoch' | 'sha256' | 'bytes' | 'gone'>

export function signRecord(
  signer: ReplicaSigner,
  fields: Unsigned,
  content: string,
): ReplicaRecord {
  const header: RecordHeader = {
    ...fields,
    epoch: signer.epoch,
    gone: false,
    sha256: nameByHash(content),
    bytes: Buffer.byteLength(content),
  }
  const text = renderHeader(header)
  const signed = { text, signatures: signer.signText(text) }
  return { header, signed, address: addressName(header), name: nameByHash(text), content }
}

/** Returns the record of a snapshot for browsers. */
export function toBrowserRecord(signer: ReplicaSigner, item: BrowserItem, oldest: number) {
  const { orgId, environmentId, schemaId, version, etag } = item
  const address = { orgId, environmentId, kind: 'browser', schemaId } as const
  return signRecord(
    signer,
    { ...address, version, oldest, etag },
    browserFormat.render(item.toRow()),
  )
}

/** Returns the record of a snapshot for servers, its secrets sealed. */
export function toServerRecord(signer: ReplicaSigner, row: ServerRow, oldest: number) {
  const { orgId, environmentId, schemaId, version, etag } = row
  const address = { orgId, environmentId, kind: 'server', schemaId } as const
  return signRecord(signer, { ...address, version, oldest, etag }, serverFormat.render(row))
}

/** Returns the address of what belongs to a whole organization, or with `noPart` to the server. */
export function sharedAddress(orgId: string, kind: 'keys' | 'data-keys' | 'token-keys') {
  return { orgId, environmentId: noPart, kind, schemaId: noPart } as const
}

/** Writes a record as it is sent: JSON with the header, its signatures and the content. */
export function renderRecord({ signed, content }: ReplicaRecord): string {
  return JSON.stringify({ header: signed.text, signatures: signed.signatures, content })
}
