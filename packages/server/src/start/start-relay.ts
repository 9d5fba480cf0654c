import { setTimeout as delay } from 'node:timers/promises'
import type { Delivery, DeliveryStatus } from '../delivery/delivery.ts'
import { createUpstreamKeys } from '../delivery/relay/ask-upstream-for-keys.ts'
import { describeNode } from '../delivery/relay/describe-node.ts'
import { openFileUpstream } from '../delivery/relay/file-upstream.ts'
import { openHttpsUpstream } from '../delivery/relay/https-upstream.ts'
import { createReporter, type Reporter } from '../delivery/relay/reporter.ts'
import type { Upstream } from '../delivery/relay/upstream.ts'
import { toEntry } from '../egress/address-guard.ts'
import { createEgress } from '../egress/create-egress.ts'
import { openKeyAccess } from '../identity/open-key-access.ts'
import type { ProcessKit } from '../kit.ts'
import { keepOwnUses, type Carrier, type ReplicaReport } from '../replica/report.ts'
import { settleWithin } from '../store/follow/settle-within.ts'
import { makeDataDirectory } from '../store/make-directories.ts'
import { serverVersion } from '../telemetry/version.ts'
import { deliveryRootKeys, sealedNotice } from './root-keys.ts'
import { drainAll } from './listeners/drain-all.ts'
import { listenForDelivery, openDelivery } from './open-delivery.ts'
import type { ShareStatus } from './processes/join-status.ts'
import type { DeliveringService } from './service.ts'

/** Stands for the database: a relay has none, so nothing is found in it and nothing is announced. */
const noDatabase = {
  delivery: { query: () => Promise.resolve([]) },
  onAnnounce: () => () => {},
}

/**
 * Starts a process that another delivery, NATS or a file feeds. It starts from its disk when that is away. `shareStatus` makes its readiness that
 * of all processes of its node.
 */
export async function startRelay(
  kit: ProcessKit,
  shareStatus: ShareStatus = (read) => read,
): Promise<DeliveringService> {
  const { settings, log, now } = kit
  await makeDataDirectory(settings.dataDir)
  const keys = deliveryRootKeys(settings)
  const readNewKeys = createUpstreamKeys({ delivery: () => delivery, now })
  const keyAccess = openKeyAccess({ store: noDatabase, log, now, readNewKeys })
  const { upstream, carrier, way, sendReport, close } = await openUpstream(kit)
  const findKey = (keyId: string) => keyAccess.keyCache.findById(keyId)
  let reporter: Reporter | undefined
  const delivery: Delivery = openDelivery(kit, {
    store: noDatabase,
    rootKeys: () => keys,
    keyAccess,
    checkPerson: undefined,
    upstream,
    way,
    recordReport(report, { scope }) {
      const context = { findKey, nowMs: now().getTime() }
      reporter?.take({ ...report, uses: keepOwnUses(report.uses, scope, context) })
    },
  })
  await delivery.start()
  await untilRead(delivery, kit.stop)
  const status = shareStatus(() => delivery.status())
  const listening = await listenForDelivery(kit, { ...delivery, status })
  const { listener, url, port, flagdPort: flagd } = listening
  reporter = createReporter({
    describe: () =>
      describeNode(status(), {
        carrier,
        fedBy: upstream.host,
        version: serverVersion,
        port,
        now: now(),
      }),
    takeUses: () => delivery.takeKeyUses(),
    send: sendReport,
    now,
    log,
  })
  reporter.start(delivery.settled())
  return {
    apiUrl: undefined,
    configUrl: url,
    ports: { delivery: port, flagd },
    setupUrl: undefined,
    notices: listNotices(delivery.status(), { host: upstream.host, isSealed: keys.length === 0 }),
    drain: (pauseMs) => drainAll([listener], pauseMs),
    async close() {
      await listener.close()
      await Promise.all([reporter?.close(), delivery.close()])
      await close()
    },
  }
}

/** Limits how long a node that has a disk waits for what feeds it: longer than the election of another leader at NATS takes. */
const firstReadMs = 10_000

/** Limits how long a node that has nothing waits, so that its start can say whether it reads. */
const emptyMs = 1_000

/**
 * Waits until the node has read what feeds it. The disk has all that this node has served. What has changed since, other nodes have
 * served: readers that come from them would see older values than before.
 */
async function untilRead(delivery: Delivery, stop: AbortSignal): Promise<void> {
  const limitMs = delivery.status().loadedFrom === 'disk' ? firstReadMs : emptyMs
  const deadlineMs = performance.now() + limitMs
  while (delivery.status().loadedFrom !== 'upstream' && !stop.aborted) {
    const leftMs = deadlineMs - performance.now()
    if (leftMs <= 0) return
    await settleWithin([delivery], leftMs)
    await delay(20)
  }
}

/** Says what the node cannot serve yet, or at all. */
function listNotices(
  { loadedFrom, failure }: DeliveryStatus,
  { host, isSealed }: { readonly host: string; readonly isSealed: boolean },
): readonly string[] {
  const waits = `This node has nothing to serve yet. ${failure ?? `It reads ${host}.`}`
  return [...(loadedFrom === 'nothing' ? [waits] : []), ...(isSealed ? [sealedNotice] : [])]
}

interface OpenedUpstream {
  readonly upstream: Upstream
  readonly carrier: Carrier
  readonly way: () => readonly string[]
  readonly sendReport: (report: ReplicaReport) => Promise<void>
  readonly close: () => Promise<void>
}

/** Replaces what a carrier lacks. */
const doNothing = () => Promise.resolve()

async function openUpstream({ settings, log }: ProcessKit): Promise<OpenedUpstream> {
  const { relay, nats } = settings
  if (nats !== undefined) {
    const { openNatsUpstream } = await import('../nats/open-nats-upstream.ts')
    const natsUpstream = await openNatsUpstream(nats, { log })
    return { ...natsUpstream, carrier: 'nats', way: () => [] }
  }
  if (relay === undefined) throw new Error('The settings of the relay are missing')
  if ('file' in relay) {
    const upstream = openFileUpstream(relay)
    return { upstream, carrier: 'relay', way: () => [], sendReport: doNothing, close: doNothing }
  }
  const egress = createEgress({ allow: [...settings.egressAllow, toEntry(relay.url)] })
  const upstream = openHttpsUpstream({ ...relay, egress })
  const { way, sendReport } = upstream
  return { upstream, carrier: 'relay', way, sendReport, close: () => egress.close() }
}
