import type { ServerResponse } from 'node:http'
import { createAllowances } from '../http/allowances.ts'
import { createAnswerCounts } from '../http/answer-counts.ts'
import { createVersionStore } from '../disk/version-store.ts'
import { createAuthenticate } from '../http/authenticate.ts'
import { createBrowserAnswers } from '../browser/answer-browser.ts'
import type { DeliveryDeps } from '../delivery-deps.ts'
import type { DeliveryHandlerDeps } from '../http/handler.ts'
import { createRelayAnswers } from '../relay/answer-relay.ts'
import { replicaTopic, type ReplicaFeed } from '../relay/origin.ts'
import { createHeaderPolicies } from '../http/header-policy.ts'
import { renderEvent, renderMarkEvent, renderRefetch } from '../streams/event-stream.ts'
import type { DeliveryCaches } from './delivery-caches.ts'
import { createKeyUses, type KeyUses } from '../http/key-uses.ts'
import { createFlagdAnswers } from '../flagd/answer-flagd.ts'
import { createOfrepAnswers } from '../ofrep/answer-ofrep.ts'
import type { Published } from './published.ts'
import { createRoutes } from '../http/routes.ts'
import { listBrowserRows, listServerRows } from './rows.ts'
import { createServerAnswers } from '../server/answer-server.ts'
import type { SnapshotStore } from './snapshot-store.ts'
import { createStreamAdmission } from '../streams/stream-admission.ts'
import type { AcceptStreamDeps } from '../fast/accept-stream.ts'
import type { Audience } from '../streams/stream-registry.ts'
import { createStreams, unlimitedStreams, type Streams } from '../streams/streams.ts'

/** Holds everything between a request and the caches. Both addresses that requests come in at share it. */
export interface Serving extends DeliveryHandlerDeps, Omit<AcceptStreamDeps, 'onStream'> {
  readonly uses: KeyUses
}

/** Creates the handlers of reads and streams, and sends every change in `caches` to the streams. */
export function createServing(
  deps: DeliveryDeps,
  caches: DeliveryCaches,
  replica: ReplicaFeed | undefined,
): Serving {
  const { metrics, limiter, clientAddress, keyCache, now, log } = deps
  const limited = {
    limiter,
    recordRateLimited: (rateClass: string) => metrics.recordRateLimited(rateClass),
  }
  const allowances = createAllowances({ ...limited, clientAddress })
  const streams = createStreams({
    metrics,
    limits: deps.streamLimits ?? (allowances.policy === undefined ? unlimitedStreams : undefined),
    checkAdmission: createStreamAdmission(limited),
    counts: deps.counts,
  })
  sendChanges(streams, { audience: 'browser', snapshots: caches.browser, render: renderEvent })
  sendChanges(streams, { audience: 'server', snapshots: caches.server, render: renderEvent })
  sendChanges(streams, { audience: 'ofrep', snapshots: caches.browser, render: renderRefetch })
  replica?.onChange(() => streams.send('replica', replicaTopic, renderMarkEvent()))
  const { recordReport, way = () => [] } = deps
  const relays = createRelayAnswers({ replica, recordReport, way, streams, allowances })
  const answers = createAnswers(deps, caches, allowances.policy)
  const uses = createKeyUses()
  return {
    ...answers,
    authenticate: createAuthenticate({ ...deps, uses, addressOf: allowances.addressOf }),
    uses,
    allowances,
    streams,
    routes: createRoutes({ ...answers, streams, relays, allowances, keyCache }),
    publicKeys: caches.publicKeys,
    unfinished: new Set<ServerResponse>(),
    answerCounts: createAnswerCounts(),
    now,
    log,
  }
}

function createAnswers(
  { store, keyCache }: DeliveryDeps,
  { browser, server, secrets, disk }: DeliveryCaches,
  rateLimitPolicy: string | undefined,
) {
  const reader = store.delivery
  const policies = createHeaderPolicies(rateLimitPolicy)
  return {
    ofrep: createOfrepAnswers({ snapshots: browser, policies, keyCache }),
    flagd: createFlagdAnswers({ snapshots: browser, policies }),
    browser: createBrowserAnswers({
      snapshots: browser,
      versionStore: createVersionStore(browser, disk.browser, (versions) =>
        listBrowserRows(reader, versions),
      ),
      policies,
    }),
    server: createServerAnswers({
      snapshots: server,
      versionStore: createVersionStore(server, disk.server, (versions) =>
        listServerRows(reader, versions),
      ),
      secrets,
      rateLimitPolicy,
    }),
  }
}

interface StreamSource<Item extends Published> {
  readonly audience: Audience
  readonly snapshots: SnapshotStore<Item>
  readonly render: (item: Item) => Buffer
}

function sendChanges<Item extends Published>(
  streams: Streams,
  { audience, snapshots, render }: StreamSource<Item>,
): void {
  snapshots.onChange((snapshotKey, item) => {
    if (item === undefined) streams.end(audience, snapshotKey)
    else streams.send(audience, snapshotKey, render(item))
  })
}
