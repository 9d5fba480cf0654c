import type { KeyRing, RingKey } from '../../identity/key-ring/key-ring.ts'
import type { KeyUses, NotedUse } from './key-uses.ts'
import type { KeyReader } from '../cache/reader.ts'

/**
 * The reader that `key` makes of its bearer, until `untilMs` at most. It stays valid while the ring says the same of the
 * key, and is thrown away with the first difference: a revocation, an expiry, another restriction.
 */
export function createKeyReader(
  deps: {
    readonly ring: Pick<KeyRing, 'findKey'>
    readonly uses: Pick<KeyUses, 'note'>
    readonly now: () => Date
  },
  key: RingKey,
  untilMs: number,
): KeyReader {
  const { kind, orgId, keyId, handle } = key
  const endsAtMs = Math.min(untilMs, key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY)
  let present = key
  let use: NotedUse | undefined
  return {
    type: 'apiKey',
    kind,
    orgId,
    keyId,
    environmentIds: toSet(key.environmentIds),
    schemaIds: toSet(key.schemaIds),
    allowedOrigins: toSet(key.allowedOrigins),
    isValid() {
      if (endsAtMs !== Number.POSITIVE_INFINITY && deps.now().getTime() >= endsAtMs) return false
      const found = deps.ring.findKey(handle)
      if (found === present) return true
      // The ring makes new objects when anything in it changed.
      if (found === undefined || !saysTheSame(found, present)) return false
      present = found
      return true
    },
    noteUse(atMs) {
      if (use === undefined || use.isTaken) use = deps.uses.note(key, atMs)
      else use.usedAtMs = atMs
    },
  }
}

function toSet(ids: readonly string[] | null): ReadonlySet<string> | null {
  return ids === null ? null : new Set(ids)
}

function saysTheSame(one: RingKey, other: RingKey): boolean {
  return renderKey(one) === renderKey(other)
}

/** Everything that a reader's rights follow from. */
function renderKey({ hash, expiresAt, revokedAt, ...rest }: RingKey): string {
  const moments = [expiresAt?.getTime() ?? null, revokedAt?.getTime() ?? null]
  return JSON.stringify([rest, hash.toString('base64'), moments])
}
