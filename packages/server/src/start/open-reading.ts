import { createDelivery, type Delivery } from '../delivery/delivery.ts'
import { createAuthenticate, type Authenticate } from '../identity/authenticate.ts'
import { createCheckPerson, type CheckPersonDeps } from '../identity/check-person.ts'
import { createKeyRingFeed, type KeyRingFeed } from '../identity/key-ring/key-ring-feed.ts'
import { createKeyRing, type KeyRing } from '../identity/key-ring/key-ring.ts'
import { parseRingRows } from '../identity/key-ring/saved-key-ring.ts'
import { createUseRecorder, type UseRecorder } from '../identity/use-recorder.ts'
import { createTokenVerifier, type TokenVerifier } from '../identity/verify-token.ts'
import type { Store } from '../store/store.ts'
import type { RootKeys } from '../vault/open-root-keys.ts'
import type { StartDeps } from './service.ts'

type PublishedStore = Pick<Store, 'delivery' | 'onAnnounce'>

/** Credentials as this node checks them: in memory, following the database. */
export interface KeyAccess {
  readonly ring: KeyRing
  readonly verifier: TokenVerifier
}

/** Opens an empty key ring; whoever needs it fills it through a feed. */
export function openKeyAccess({ now }: Pick<StartDeps, 'now'>): KeyAccess {
  const ring = createKeyRing()
  return { ring, verifier: createTokenVerifier({ ring, now }) }
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

/** Opens the delivery. What its key ring learns is on its disk as well. */
export function openDelivery(
  deps: StartDeps,
  { store, rootKeys, keyAccess, people }: OpenDelivery,
): Delivery {
  const { ring: keyCache, verifier } = keyAccess
  return createDelivery({
    ...deps,
    keyCache,
    verifier,
    store,
    rootKeys,
    dataDir: deps.settings.dataDir,
    authenticatePerson: people && createCheckPerson(people),
    restoreKeyCache: (saved) => keyCache.replace(parseRingRows(saved)),
  })
}

/** Keeps the key ring equal to the database, and with a delivery its copy on the disk too. */
export function openKeyRingFeed(
  { log }: Pick<StartDeps, 'log'>,
  store: PublishedStore,
  ring: KeyRing,
): KeyRingFeed {
  return createKeyRingFeed({ store, ring, log })
}
