import { createEgress } from '../egress/create-egress.ts'
import { tokenPattern } from '@signalbox/contract'
import type { Upstream } from '../delivery/relay/upstream.ts'
import { openKeyAccess } from '../identity/open-key-access.ts'
import type { ProcessKit } from '../kit.ts'
import type { RelaySettings } from '../settings/relay-settings.ts'
import { makeDataDirectory } from '../store/make-directories.ts'
import { deliveryRootKeys, sealedNotice } from './delivery-root-keys.ts'
import { drainAll } from './drain-all.ts'
import { listenForDelivery, openDelivery } from './open-delivery.ts'
import type { Service } from './service.ts'

/** Stands for the database: such a process has none, so nothing is found in it and nothing is announced. */
const noDatabase = {
  delivery: { query: () => Promise.resolve([]) },
  onAnnounce: () => () => {},
}

/** Describes what feeds the process, and what ends that. */
interface Feeding {
  readonly upstream: Upstream
  close(): Promise<void>
}

/** Starts a process that another delivery or NATS feeds. It starts from its disk when that is away. */
export async function startRelay(kit: ProcessKit): Promise<Service> {
  const { settings, log, now } = kit
  await makeDataDirectory(settings.dataDir)
  const feeding = await openUpstream(kit)
  const keys = deliveryRootKeys(settings)
  const keyAccess = openKeyAccess({ store: noDatabase, log, now })
  const delivery = openDelivery(kit, {
    store: noDatabase,
    rootKeys: () => keys,
    keyAccess,
    checkPerson: undefined,
    upstream: feeding.upstream,
  })
  await delivery.start()
  const { listener, url } = await listenForDelivery(kit, delivery)
  return {
    apiUrl: undefined,
    configUrl: url,
    setupUrl: undefined,
    notices: keys.length === 0 ? [sealedNotice] : [],
    drain: (pauseMs) => drainAll([listener], pauseMs),
    async close() {
      await listener.close()
      await delivery.close()
      await feeding.close()
    },
  }
}

async function openUpstream({ settings, log }: ProcessKit): Promise<Feeding> {
  const { relay, nats } = settings
  if (nats !== undefined) {
    const { openNatsUpstream } = await import('../nats/open-nats-upstream.ts')
    return openNatsUpstream(nats, { log })
  }
  if (relay === undefined) throw new Error('The settings of the relay are missing')
  const egress = createEgress({ allow: [...settings.egressAllow, new URL(relay.url).hostname] })
  return { upstream: toUpstream(relay, egress), close: () => egress.close() }
}

/** Returns the upstream of the settings, which is asked with the relay key. */
function toUpstream(
  { url, key, publisherKeys }: RelaySettings,
  egress: Pick<ReturnType<typeof createEgress>, 'request'>,
): Upstream {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json' }
  const read = async (path: string) => {
    const { status, body } = await egress.request(`${url}${path}`, { headers })
    if (status !== 200) throw new Error(`The upstream answered ${status} to ${path}`)
    return body.toString('utf8')
  }
  return {
    publicKeys: publisherKeys,
    host: new URL(url).host,
    keyHandle: tokenPattern.exec(key)?.[2],
    readMark: () => read('/replica/mark'),
    readObject: ({ sha256 }) => read(`/replica/objects/${sha256}`),
    follow: () => () => {},
  }
}
