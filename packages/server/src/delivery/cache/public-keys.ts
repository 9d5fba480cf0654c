import { publisherKeyId } from '@signalbox/contract'

/** Holds the public halves of the keys that sign snapshots, ready to be sent. */
export interface PublicKeys {
  /** Replaces the keys, the oldest first, and returns whether any differs. */
  apply(keys: readonly string[]): boolean
  /** Returns a JWK Set (RFC 7517 §5) of Ed25519 keys (RFC 8037 §2). */
  render(): string
}

/** Creates the list, empty until the first `apply`. */
export function createPublicKeys(): PublicKeys {
  let known: readonly string[] = []
  return {
    apply(keys) {
      if (keys.join() === known.join()) return false
      known = keys
      return true
    },
    render: () => JSON.stringify({ keys: known.map(toJwk) }),
  }
}

function toJwk(x: string) {
  return { kty: 'OKP', crv: 'Ed25519', x, kid: publisherKeyId(x), use: 'sig', alg: 'EdDSA' }
}
