import { createDelivery, type Delivery } from '../delivery/delivery.ts'
import { createAuthenticate, type Authenticate } from '../identity/authenticate.ts'
import { createCheckPerson, type CheckPersonDeps } from '../identity/check-person.ts'
import { createApiKeyFeed, type ApiKeyFeed } from '../identity/key-cache/api-key-feed.ts'
import { createApiKeyCache, type ApiKeyCache } from '../identity/key-cache/api-key-cache.ts'
import { parseApiKeyRows } from '../identity/key-cache/saved-api-keys.ts'
import { createUseRecorder, type UseRecorder } from '../identity/use-recorder.ts'
import { createTokenVerifier, type TokenVerifier } from '../identity/verify-token.ts'
import type { Store } from '../store/store.ts'
import type { RootKeys } from '../vault/open-root-keys.ts'
import type { StartDeps } from './service.ts'

type PublishedStore = Pick<Store, 'delivery' | 'onAnnounce'>

/** Holds how this node checks credentials: in memory, by a cache that follows the database. */
export interface KeyAccess {
  readonly keyCache: ApiKeyCache
  readonly verifier: TokenVerifier
}

/** Creates an empty cache of API keys with a verifier over it. A feed fills it. */
export function openKeyAccess({ now }: Pick<StartDeps, 'now'>): KeyAccess {
  const keyCache = createApiKeyCache()
  return { keyCache, verifier: createTokenVerifier({ keyCache, now }) }
}

/** People and keys as the API checks them. */
export interface People {
  readonly authenticate: Authenticate
  readonly uses: UseRecorder
}

/** Opens the check of every kind of credential, which needs the database for people. */
export function openPeople(
  { settings, now, log }: StartDeps,
  store: Store,
  { verifier }: KeyAccess,
): People {
  const uses = createUseRecorder({ store, now, log })
  const { bootstrapToken } = settings
  return { uses, authenticate: createAuthenticate({ store, verifier, uses, bootstrapToken, now }) }
}

export interface OpenDelivery {
  readonly store: PublishedStore
  readonly rootKeys: RootKeys
  readonly keyAccess: KeyAccess
  /** Given when the API role is in this process: people are known to it alone. */
  readonly people: CheckPersonDeps | undefined
}

/** Opens the delivery, which saves the rows of its key cache to its disk as well. */
export function openDelivery(
  deps: StartDeps,
  { store, rootKeys, keyAccess, people }: OpenDelivery,
): Delivery {
  const { keyCache, verifier } = keyAccess
  return createDelivery({
    ...deps,
    keyCache,
    verifier,
    store,
    rootKeys,
    dataDir: deps.settings.dataDir,
    authenticatePerson: people && createCheckPerson(people),
    restoreKeyCache: (saved) => keyCache.replace(parseApiKeyRows(saved)),
  })
}

/** Opens the feed of a key cache. With the delivery's cache, the copy on the disk follows the database too. */
export function openApiKeyFeed(
  { log }: Pick<StartDeps, 'log'>,
  store: PublishedStore,
  keyCache: ApiKeyCache,
): ApiKeyFeed {
  return createApiKeyFeed({ store, keyCache, log })
}
