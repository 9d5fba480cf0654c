import { createDelivery, type Delivery } from '../delivery/delivery.ts'
import { openSyncListener } from '../delivery/flagd-sync/sync-listener.ts'
import { openDeliveryListener } from '../delivery/http/listener.ts'
import type { RecordReport } from '../delivery/relay/answer-relay.ts'
import type { Upstream } from '../delivery/relay/upstream.ts'
import type { StreamLimits } from '../delivery/streams/streams.ts'
import type { CheckPerson } from '../identity/check-person.ts'
import type { KeyAccess } from '../identity/open-key-access.ts'
import type { Listening, ProcessKit } from '../kit.ts'
import type { Store } from '../store/store.ts'
import type { PublisherKeys } from '../vault/publisher-keys.ts'
import type { RootKeys } from '../vault/open-root-keys.ts'
import { listenerUrl } from './listeners/listener-url.ts'
import {
  countProcessStreams,
  countStreams,
  shareConnections,
} from './listeners/share-connections.ts'

const drainMs = 2_000

export interface OpenDelivery {
  readonly store: Pick<Store, 'delivery' | 'onAnnounce'>
  readonly rootKeys: RootKeys
  readonly keyAccess: KeyAccess
  /** Undefined without the API role, which alone can check people. */
  readonly checkPerson: CheckPerson | undefined
  /** Undefined in a process without publisher keys. */
  readonly publisherKeys?: PublisherKeys
  /** Undefined unless this process is a relay. */
  readonly upstream?: Upstream
  /** Undefined where reports of relays cannot be recorded. */
  readonly recordReport?: RecordReport
  /** Undefined unless this process is a relay. */
  readonly way?: () => readonly string[]
}

/** Opens the delivery, which saves the rows of its cache of API keys to its disk as well. */
export function openDelivery(
  kit: ProcessKit,
  { checkPerson, keyAccess, publisherKeys, ...rest }: OpenDelivery,
): Delivery {
  return createDelivery({
    ...kit,
    ...rest,
    keyCache: keyAccess.keyCache,
    verifier: keyAccess.verifier,
    keysReadAt: keyAccess.readAt,
    replicaSigner: publisherKeys && (() => publisherKeys.signer()),
    dataDir: kit.settings.dataDir,
    authenticatePerson: checkPerson,
    streamLimits: streamLimits(kit),
    restoreKeyCache: keyAccess.restore,
    counts: kit.sharedNode?.counts,
    readsDiskOnly: kit.sharedNode?.writesDisk === false,
  })
}

/** Returns the limits of streams. Without rate limits they are those that the settings name. */
function streamLimits(kit: ProcessKit): Partial<StreamLimits> {
  const { rateLimits, capacities } = kit.settings
  const perSubject = capacities.streamsPerAddress
  if (rateLimits === 'off') return { perNode: capacities.streams, perSubject }
  return { perNode: countStreams(kit), perProcess: countProcessStreams(kit), perSubject }
}

/** Describes the open addresses of the delivery. */
export interface ListeningDelivery {
  readonly listener: Listening
  readonly url: string
  readonly port: number
  /** Undefined without a sync service for flagd. */
  readonly flagdPort: number | undefined
}

/** Opens the delivery's own address, and that of flagd's sync service where the settings name one. */
export async function listenForDelivery(
  kit: ProcessKit,
  delivery: Delivery,
): Promise<ListeningDelivery> {
  const { settings, metrics, now, sharedNode } = kit
  const { host, deliveryPort: port } = settings
  const listener = await openDeliveryListener({
    delivery,
    host,
    port,
    sharesPort: sharedNode !== undefined,
    drainMs,
    connections: shareConnections(kit, 'delivery'),
    now,
    metrics,
  })
  const sync = await listenForFlagd(kit, delivery).catch(async (error: unknown) => {
    await listener.close()
    throw error
  })
  return {
    url: settings.configUrl ?? listenerUrl(host, listener.port),
    port: listener.port,
    flagdPort: sync?.port,
    listener: {
      drain(overMs) {
        listener.drain(overMs)
        sync?.drain()
      },
      async close() {
        // Ends the streams of both first.
        await Promise.all([listener.close(), sync?.close()])
      },
    },
  }
}

async function listenForFlagd(kit: ProcessKit, delivery: Delivery) {
  const { settings, metrics, log, sharedNode } = kit
  const { host, flagdPort } = settings
  if (flagdPort === undefined) return undefined
  const listener = await openSyncListener({
    answer: delivery.answerSync(),
    host,
    port: flagdPort,
    sharesPort: sharedNode !== undefined,
    drainMs,
    connections: shareConnections(kit, 'flagd'),
    metrics,
  })
  log.info('Serves flagd at an address of its own', { host, port: listener.port })
  return listener
}
