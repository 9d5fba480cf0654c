/**
 * Names what a record holds: a snapshot for browsers or for servers, the API keys of an organization, its wrapped data keys, or
 * the public keys of access tokens.
 */
export const recordKinds = ['browser', 'server', 'keys', 'data-keys', 'token-keys'] as const
export type RecordKind = (typeof recordKinds)[number]

/** Says where a record belongs. Parts that it has none of are `_`. */
export interface RecordAddress {
  readonly orgId: string
  readonly environmentId: string
  readonly kind: RecordKind
  readonly schemaId: string
}

/** Describes a record without its content: everything that is compared before the content is fetched. */
export interface RecordHeader extends RecordAddress {
  readonly epoch: number
  readonly version: number
  /** The oldest version that may still be shown. Older ones are dropped everywhere. */
  readonly oldest: number
  /** Tells that what was here is deleted. Such a record has no content. */
  readonly gone: boolean
  readonly etag: string
  /** The SHA-256 of the content, as base64url. */
  readonly sha256: string
  readonly bytes: number
}

/** Stands for a part that an address has none of. */
export const noPart = '_'

/** Returns an address as a listing names it: `org_….env_….browser.sch_…`. Rights go by its beginning. */
export function addressName({ orgId, environmentId, kind, schemaId }: RecordAddress): string {
  return `${orgId}.${environmentId}.${kind}.${schemaId}`
}

/** Returns the name of the manifest that lists an address: `org_….env_…`. */
export function manifestName({
  orgId,
  environmentId,
}: Pick<RecordAddress, 'orgId' | 'environmentId'>): string {
  return `${orgId}.${environmentId}`
}

/** Returns the organization in the name of an address or of a manifest. */
export function orgIdOf(name: string): string {
  return name.slice(0, name.indexOf('.'))
}

const form = 'signalbox-record 1'

/** Renders a header, one field a line. The same header gives the same text on every node. */
export function renderHeader(header: RecordHeader): string {
  return [
    form,
    header.epoch,
    header.orgId,
    header.environmentId,
    header.kind,
    header.schemaId,
    header.version,
    header.oldest,
    header.gone ? 1 : 0,
    header.etag,
    header.sha256,
    header.bytes,
  ].join('\n')
}

const id = '(_|[a-z]{3}_[0-9a-z]{1,40})'
const count = String.raw`(0|[1-9]\d{0,14})`
const tag = String.raw`([\w.-]{1,80})`
const digest = String.raw`([\w-]{43})`
const kind = `(${recordKinds.join('|')})`
const lines = [form, count, id, id, kind, id, count, count, '([01])', tag, digest, count]
const pattern = new RegExp(`^${lines.join(String.raw`\n`)}$`)

/** Parses a header. Returns `undefined` for anything that `renderHeader` does not write. */
export function parseHeader(text: string): RecordHeader | undefined {
  const [, epoch, orgId = '', environmentId = '', kindName, schemaId = '', ...rest] =
    pattern.exec(text) ?? []
  const known = recordKinds.find((each) => each === kindName)
  if (known === undefined) return undefined
  const [version, oldest, gone, etag = '', sha256 = '', bytes] = rest
  return {
    epoch: Number(epoch),
    orgId,
    environmentId,
    kind: known,
    schemaId,
    version: Number(version),
    oldest: Number(oldest),
    gone: gone === '1',
    etag,
    sha256,
    bytes: Number(bytes),
  }
}
