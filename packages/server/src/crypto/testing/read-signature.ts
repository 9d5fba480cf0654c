import { createPublicKey, hash, verify } from 'node:crypto'
import { parseSignature, publisherKeyId, renderSignedText } from '@signalbox/contract'

/** Holds the parts of a snapshot's body that its signature covers. */
interface SignedNames {
  readonly schemaId: string
  readonly environmentId: string
  readonly version: number
}

/** Returns what a signature says, and which of `publicKeys` made it for this body; `undefined` when it can't be read. */
export function readSignature(
  publicKeys: readonly string[],
  { header, body, names }: { header: string; body: string; names: SignedNames },
) {
  const parsed = parseSignature(header)
  if (parsed === undefined) return undefined
  const { schemaId, environmentId, version } = names
  const snapshot = { ...parsed, schemaId, environmentId, version }
  const text = Buffer.from(renderSignedText(snapshot, hash('sha256', body, 'base64url')))
  const signedBy = publicKeys.filter((x) => {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const signature = Buffer.from(parsed.signatures.get(publisherKeyId(x)) ?? '', 'base64url')
    return verify(null, text, key, signature)
  })
  return { ...parsed, signedBy }
}
