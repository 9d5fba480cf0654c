import { generateKeyPairSync, hash, sign } from 'node:crypto'
import {
  publisherKeyId,
  renderSignature,
  renderSignedText,
  signatureHeader,
} from '@signalbox/contract'

/** Names the snapshot that is signed. */
interface Place {
  readonly audience: 'browser' | 'server'
  readonly schemaId: string
  readonly environmentId: string
}

/** Signs snapshots as the server does, with a key of its own. */
export function createSigner() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return {
    publicKey: x,
    /** Returns the text and the headers of version 7, in which the flag `beta` is on. */
    publish({ audience, schemaId, environmentId }: Place) {
      const names = { schemaId, schema: 'web', environmentId, environment: 'production' }
      const text = JSON.stringify({
        format: 1,
        ...names,
        version: 7,
        public: {},
        featureFlags: { beta: true },
      })
      const snapshot = {
        audience,
        orgId: 'org_1',
        schemaId,
        environmentId,
        epoch: 1,
        version: 7,
        publishedAtMs: 1_764_158_817_123,
      } as const
      const signed = Buffer.from(renderSignedText(snapshot, hash('sha256', text, 'base64url')))
      const signature = sign(null, signed, privateKey).toString('base64url')
      const signatures = new Map([[publisherKeyId(x), signature]])
      const headers = {
        'content-type': 'application/json',
        [signatureHeader]: renderSignature({ ...snapshot, signatures }),
      }
      return { text, headers }
    },
  }
}
