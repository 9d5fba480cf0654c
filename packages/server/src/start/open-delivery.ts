import { createDelivery, type Delivery } from '../delivery/delivery.ts'
import { openDeliveryListener, type DeliveryListener } from '../delivery/http/listener.ts'
import type { StreamLimits } from '../delivery/streams/streams.ts'
import type { CheckPerson } from '../identity/check-person.ts'
import type { KeyAccess } from '../identity/open-key-access.ts'
import type { ProcessKit } from '../kit.ts'
import type { Store } from '../store/store.ts'
import type { RootKeys } from '../vault/open-root-keys.ts'
import { listenerUrl } from './listener-url.ts'
import { countStreams, shareConnections } from './share-connections.ts'

const drainMs = 2_000

/** Describes what the delivery is opened with. */
export interface OpenDelivery {
  readonly store: Pick<Store, 'delivery' | 'onAnnounce'>
  readonly rootKeys: RootKeys
  readonly keyAccess: KeyAccess
  /** Undefined without the API role, which alone can check people. */
  readonly checkPerson: CheckPerson | undefined
}

/** Opens the delivery, which saves the rows of its cache of API keys to its disk as well. */
export function openDelivery(
  kit: ProcessKit,
  { store, rootKeys, keyAccess, checkPerson }: OpenDelivery,
): Delivery {
  return createDelivery({
    ...kit,
    keyCache: keyAccess.keyCache,
    verifier: keyAccess.verifier,
    store,
    rootKeys,
    dataDir: kit.settings.dataDir,
    authenticatePerson: checkPerson,
    streamLimits: streamLimits(kit),
    restoreKeyCache: keyAccess.restore,
  })
}

/** Returns the limits of streams; `undefined` where nothing is limited. */
function streamLimits(kit: ProcessKit): Partial<StreamLimits> | undefined {
  const { rateLimits, capacities } = kit.settings
  if (rateLimits === 'off') return undefined
  return { perNode: countStreams(kit), perSubject: capacities.streamsPerAddress }
}

/** Opens the delivery's own address. */
export async function listenForDelivery(
  kit: ProcessKit,
  delivery: Delivery,
): Promise<{ readonly listener: DeliveryListener; readonly url: string }> {
  const { settings, metrics, now } = kit
  const { host, deliveryPort: port } = settings
  const listener = await openDeliveryListener({
    delivery,
    host,
    port,
    drainMs,
    connections: shareConnections(kit, 'delivery'),
    now,
    metrics,
  })
  return { listener, url: settings.configUrl ?? listenerUrl(host, listener.port) }
}
