/** Names the header that carries the signature of a snapshot. */
export const signatureHeader = 'Signalbox-Signature'

/** Describes what the signature of a snapshot says: whose it is, which one, and when it was published. */
export interface SignedSnapshot {
  /** Separates the snapshots of browsers from those of servers, whose versions count differently. */
  readonly audience: 'browser' | 'server'
  readonly orgId: string
  readonly environmentId: string
  readonly schemaId: string
  /** Counts the histories of the database. A restored backup begins another one, in which versions count again. */
  readonly epoch: number
  readonly version: number
  /** Milliseconds since 1970. */
  readonly publishedAtMs: number
}

/** Returns the text that is signed. `sha256` is that of the body, as base64url. */
export function renderSignedText(snapshot: SignedSnapshot, sha256: string): string {
  const { audience, orgId, environmentId, schemaId, epoch, version, publishedAtMs } = snapshot
  return [
    'signalbox-snapshot 1',
    audience,
    orgId,
    environmentId,
    schemaId,
    epoch,
    version,
    publishedAtMs,
    sha256,
  ].join('\n')
}

/** Describes the parts of the header. The ids and the version stand in the body. */
export interface SnapshotSignature extends Pick<
  SignedSnapshot,
  'audience' | 'orgId' | 'epoch' | 'publishedAtMs'
> {
  /** Maps the id of a publisher key to its signature, as base64url: two while one key replaces another. */
  readonly signatures: ReadonlyMap<string, string>
}

/** Returns the id of a publisher key: the first eight characters of its public half, as base64url. */
export function publisherKeyId(publicKey: string): string {
  return publicKey.slice(0, 8)
}

/** Renders the header: `1 browser org_… 1 1764158817123 dGhlIGtl=MEUCIQ…`. */
export function renderSignature({
  audience,
  orgId,
  epoch,
  publishedAtMs,
  signatures,
}: SnapshotSignature): string {
  const signed = [...signatures].map(([keyId, signature]) => `${keyId}=${signature}`)
  return ['1', audience, orgId, epoch, publishedAtMs, ...signed].join(' ')
}

/** The last character of 64 bytes has four bits to spare, which must be zero: another text would be the same signature. */
const headerPattern =
  /^1 (browser|server) (org_[0-9a-z]{1,40}) (\d{1,15}) (\d{1,15}) ([\w-]{8}=[\w-]{85}[AQgw](?: [\w-]{8}=[\w-]{85}[AQgw]){0,3})$/

/** Parses the header. Returns `undefined` for anything that `renderSignature` does not write. */
export function parseSignature(header: string): SnapshotSignature | undefined {
  const [, audience, orgId, epoch, publishedAtMs, signed] = headerPattern.exec(header) ?? []
  if (orgId === undefined || signed === undefined) return undefined
  return {
    audience: audience === 'server' ? 'server' : 'browser',
    orgId,
    epoch: Number(epoch),
    publishedAtMs: Number(publishedAtMs),
    signatures: new Map(signed.split(' ').map((each) => [each.slice(0, 8), each.slice(9)])),
  }
}
