import type { ApiKeyCache, CachedApiKey } from '../../identity/key-cache/api-key-cache.ts'
import type { KeyUses, NotedUse } from './key-uses.ts'
import type { KeyReader } from '../cache/reader.ts'

/**
 * Creates the reader for the bearer of `key`, until `untilMs` at most. It stays valid while the cache of API keys holds
 * an equal key. Any difference ends it: a revocation, an expiry, another restriction.
 */
export function createKeyReader(
  deps: {
    readonly keyCache: Pick<ApiKeyCache, 'findKey'>
    readonly uses: Pick<KeyUses, 'note'>
    readonly now: () => Date
  },
  key: CachedApiKey,
  untilMs: number,
): KeyReader {
  const { kind, orgId, keyId, handle } = key
  const endsAtMs = Math.min(untilMs, key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY)
  let lastSeen = key
  let use: NotedUse | undefined
  return {
    type: 'apiKey',
    kind,
    orgId,
    keyId,
    environmentIds: toSet(key.environmentIds),
    schemaIds: toSet(key.schemaIds),
    allowedOrigins: toSet(key.allowedOrigins),
    allowedNetworks: key.allowedNetworks,
    isValid() {
      if (endsAtMs !== Number.POSITIVE_INFINITY && deps.now().getTime() >= endsAtMs) return false
      const current = deps.keyCache.findKey(handle)
      if (current === lastSeen) return true
      // The cache creates new objects whenever anything in it changes.
      if (current === undefined || !saysTheSame(current, lastSeen)) return false
      lastSeen = current
      return true
    },
    noteUse(atMs) {
      if (use === undefined || use.isTaken) use = deps.uses.note(key, atMs)
      else use.usedAtMs = atMs
    },
    noteSecretRead() {
      if (use === undefined || use.isTaken) use = deps.uses.note(key, deps.now().getTime())
      use.secretReads += 1
    },
  }
}

function toSet(ids: readonly string[] | null): ReadonlySet<string> | null {
  return ids === null ? null : new Set(ids)
}

function saysTheSame(one: CachedApiKey, other: CachedApiKey): boolean {
  return renderKey(one) === renderKey(other)
}

/** Renders everything that a reader's rights depend on. */
function renderKey({ hash, expiresAt, revokedAt, ...rest }: CachedApiKey): string {
  const moments = [expiresAt?.getTime() ?? null, revokedAt?.getTime() ?? null]
  return JSON.stringify([rest, hash.toString('base64'), moments])
}
