import { setImmediate as turn } from 'node:timers/promises'
import { takeRandomBytes } from '../../crypto/random.ts'
import { sign } from '../../crypto/sign.ts'
import { openSecret, type SecretsOf } from '../../config-model/sealed-secrets.ts'
import type { ResolvedValues } from '../../config-model/resolve-values.ts'

/** Compares secrets by digests: equal digests are equal values. */
export interface SecretDigests {
  /** Returns the digest of each secret that there is. Yields to other requests while it works. */
  digest(of: SecretsOf, resolved: ResolvedValues): Promise<ReadonlyMap<string, string>>
}

/** The digests of so many seals are kept: of 2,000 keys in twenty-five environments. */
const cachedMax = 50_000
/** Milliseconds for which the thread is held at a time. */
const turnMs = 5

/**
 * Creates a cache of the digest of each seal, which holds no secret: opening one takes longer than all the rest of a
 * matrix. The key of the digests is random and never leaves the process, and neither do the digests. A seal is never
 * made twice, so no digest gets stale.
 */
export function createSecretDigests(): SecretDigests {
  const digestKey = takeRandomBytes(32)
  const cache = new Map<string, string>()
  const remember = (sealed: string, digest: string) => {
    const oldest = cache.keys().next().value
    if (cache.size >= cachedMax && oldest !== undefined) cache.delete(oldest)
    cache.set(sealed, digest)
    return digest
  }
  return {
    async digest(of, resolved) {
      const digests = new Map<string, string>()
      let turnEnds = performance.now() + turnMs
      for (const [key, { sealed, environmentId }] of resolved) {
        if (sealed === undefined) continue
        const known = cache.get(sealed)
        if (known !== undefined) {
          digests.set(key, known)
          continue
        }
        const text = openSecret(of, { key, sealed, environmentId })
        digests.set(key, remember(sealed, sign(digestKey, text)))
        if (performance.now() < turnEnds) continue
        await turn()
        turnEnds = performance.now() + turnMs
      }
      return digests
    },
  }
}
