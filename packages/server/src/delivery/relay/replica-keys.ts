import { z } from 'zod'
import type { ApiKeyCache } from '../../identity/key-cache/api-key-cache.ts'

/** Lists what the keys of a replica are written to. */
export interface ReplicaKeysDeps {
  readonly keyCache: Pick<ApiKeyCache, 'save'>
  /** Replaces the API keys, organizations and public keys of access tokens, in memory and on the disk. */
  readonly replaceKeys: (saved: unknown) => void
}

const keysShape = z.object({
  organizations: z.array(z.unknown()),
  keys: z.array(z.unknown()),
  secrets: z.array(z.unknown()),
})
const tokenKeysShape = z.array(z.unknown())

/** Collects changes of the API keys of whole organizations, until all of them are applied at once. */
export interface ReplicaKeys {
  /** Reads the keys of an organization. Returns what collects them. */
  parse(orgId: string, content: string): () => void
  /** Reads the public keys of access tokens. Returns what collects them. */
  parseTokenKeys(content: string): () => void
  /** Lists the organizations that are known here. */
  listOrganizations(): readonly string[]
  remove(orgId: string): void
  /** Applies what was collected: the keys of other organizations stay. */
  apply(): void
}

/** Creates a collection with nothing in it. */
export function createReplicaKeys({ keyCache, replaceKeys }: ReplicaKeysDeps): ReplicaKeys {
  const none: z.output<typeof keysShape> = { organizations: [], keys: [], secrets: [] }
  const changed = new Map<string, typeof none>()
  let signingKeys: z.output<typeof tokenKeysShape> | undefined
  return {
    parse(orgId, content) {
      const keys = keysShape.parse(JSON.parse(content))
      return () => void changed.set(orgId, keys)
    },
    parseTokenKeys(content) {
      const keys = tokenKeysShape.parse(JSON.parse(content))
      return () => {
        signingKeys = keys
      }
    },
    listOrganizations: () => keyCache.save().organizations.map(({ id }) => id),
    remove: (orgId) => void changed.set(orgId, none),
    apply() {
      if (changed.size === 0 && signingKeys === undefined) return
      const held = keyCache.save()
      const ofChanged = [...changed.values()]
      const saved = {
        organizations: [
          ...held.organizations.filter(({ id }) => !changed.has(id)),
          ...ofChanged.flatMap(({ organizations }) => organizations),
        ],
        keys: [
          ...held.keys.filter(({ orgId }) => !changed.has(orgId)),
          ...ofChanged.flatMap(({ keys }) => keys),
        ],
        secrets: [
          ...held.secrets.filter(({ orgId }) => !changed.has(orgId)),
          ...ofChanged.flatMap(({ secrets }) => secrets),
        ],
        signingKeys: signingKeys ?? held.signingKeys,
      }
      changed.clear()
      signingKeys = undefined
      replaceKeys(saved)
    },
  }
}
