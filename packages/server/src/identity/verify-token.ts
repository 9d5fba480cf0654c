import { timingSafeEqual } from 'node:crypto'
import { createAccessTokenVerifier, type AccessTokenVerifier } from '../crypto/access-tokens.ts'
import { readToken, type ReadToken } from '../crypto/tokens.ts'
import type { ApiKeyCache, CachedApiKey } from './key-cache/api-key-cache.ts'

/** Names the reason why a token is refused. `expired` and `revoked` are said only to the holder of the secret itself. */
export type TokenFailure = 'invalid' | 'expired' | 'revoked'

/** Describes a key whose secret was right. */
export type VerifiedKey =
  | { readonly outcome: 'valid'; readonly key: CachedApiKey }
  | { readonly outcome: TokenFailure }

/**
 * Brings the key cache up to date with what was committed before the call. It may stop as soon as `isKnown` says that the
 * key in question is there. Rejects where the keys can't be read.
 */
export type ReadNewKeys = (isKnown: () => boolean) => Promise<void>

/** Checks tokens against the key cache, in memory. */
export interface TokenVerifier {
  /**
   * Verifies API keys; anything else is `invalid`. Answers immediately, except for a key that this node does not know:
   * another node may have made it, so it reads the keys once more. Rejects if it cannot read them.
   */
  readonly verifyApiKey: (token: string) => VerifiedKey | Promise<VerifiedKey>
  /** For short-lived access tokens (JWT). They end with the key they were exchanged for. */
  readonly verifyAccessToken: (token: string) => Promise<VerifiedKey>
}

/** Creates a verifier of tokens that asks no database, except for new keys. */
export function createTokenVerifier({
  keyCache,
  readNewKeys,
  now,
}: {
  readonly keyCache: Pick<ApiKeyCache, 'findKey' | 'signingKeys'>
  /** Brings the cache up to date. Absent: a key that is not in it is `invalid`. */
  readonly readNewKeys?: ReadNewKeys
  readonly now: () => Date
}): TokenVerifier {
  const verifierOf = createVerifierCache()
  const check = (read: ReadToken): VerifiedKey => {
    const key = keyCache.findKey(read.handle)
    // A handle is no secret: lists show it, and one that is not known is looked for first, which takes longer.
    const isRight = key?.kind === read.kind && timingSafeEqual(read.hash, key.hash)
    if (key === undefined || !isRight) return { outcome: 'invalid' }
    return judgeKey(key, now())
  }
  const isNew = (handle: string) => keyCache.findKey(handle) === undefined
  return {
    verifyApiKey(token) {
      const read = readToken(token)
      // The token of a directory is no key, however many are read.
      if (read === undefined || read.kind === 'scm') return { outcome: 'invalid' }
      if (readNewKeys === undefined || !isNew(read.handle)) return check(read)
      return readNewKeys(() => !isNew(read.handle)).then(() => check(read))
    },
    async verifyAccessToken(token) {
      const read = await verifierOf(keyCache).verify(token, now())
      if (typeof read === 'string') return { outcome: read }
      if (isNew(read.handle)) await readNewKeys?.(() => !isNew(read.handle))
      const key = keyCache.findKey(read.handle)
      if (key?.keyId !== read.keyId || key.orgId !== read.orgId) return { outcome: 'invalid' }
      return judgeKey(key, now())
    },
  }
}

function judgeKey(key: CachedApiKey, now: Date): VerifiedKey {
  if (key.revokedAt !== null) return { outcome: 'revoked' }
  if (key.expiresAt !== null && key.expiresAt <= now) return { outcome: 'expired' }
  return { outcome: 'valid', key }
}

/** Imports the public keys again only when there are others. */
function createVerifierCache(): (
  keyCache: Pick<ApiKeyCache, 'signingKeys'>,
) => AccessTokenVerifier {
  let ids = ''
  let verifier = createAccessTokenVerifier([])
  return (keyCache) => {
    const keys = keyCache.signingKeys()
    const present = keys.map(({ kid }) => String(kid)).join()
    if (present !== ids) {
      verifier = createAccessTokenVerifier(keys)
      ids = present
    }
    return verifier
  }
}
