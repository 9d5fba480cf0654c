import type { ServerResponse } from 'node:http'
import type { Log } from '../../telemetry/log.ts'
import type { BrowserSource } from '../browser/answer-browser.ts'
import type { DeliveryDeps } from '../delivery-deps.ts'
import { createVersionStore } from '../disk/version-store.ts'
import { createAllowances, type Allowances } from '../http/allowances.ts'
import { createAnswerCounts, type AnswerCounts } from '../http/answer-counts.ts'
import { createAuthentication, type Authentication } from '../http/authenticate.ts'
import { createHeaderPolicies } from '../http/header-policy.ts'
import { createKeyUses, type KeyUses } from '../http/key-uses.ts'
import type { OfrepSource } from '../ofrep/answer-ofrep.ts'
import type { RelaySource } from '../relay/answer-relay.ts'
import { replicaTopic, type ReplicaFeed } from '../relay/origin.ts'
import type { ServerSource } from '../server/answer-server.ts'
import { renderEvent, renderMarkEvent, renderRefetch } from '../streams/event-stream.ts'
import { createStreamAdmission } from '../streams/stream-admission.ts'
import type { Audience } from '../streams/stream-registry.ts'
import { createStreams, unlimitedStreams, type Streams } from '../streams/streams.ts'
import type { DeliveryCaches } from './delivery-caches.ts'
import type { PublicKeys } from './public-keys.ts'
import type { Published } from './published.ts'
import { listBrowserRows, listServerRows } from './rows.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** Holds everything between a request and the caches. Both addresses that requests come in at share it. */
export interface Serving extends RelaySource, OfrepSource {
  readonly authentication: Authentication
  readonly uses: KeyUses
  readonly allowances: Allowances
  readonly browser: BrowserSource
  readonly server: ServerSource
  readonly publicKeys: Pick<PublicKeys, 'render'>
  /** Collects the answers under way. A stop closes their connections with the end of the answer. */
  readonly unfinished: Set<ServerResponse>
  readonly answerCounts: AnswerCounts
  readonly now: () => Date
  readonly log: Log
}

/** Creates what reads and streams are served from, and sends every change in `caches` to the streams. */
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
  const uses = createKeyUses()
  return {
    authentication: createAuthentication({ ...deps, uses, addressOf: allowances.addressOf }),
    uses,
    allowances,
    streams,
    ...createSources(deps, caches, allowances.policy),
    replica,
    recordReport: deps.recordReport,
    way: deps.way ?? (() => []),
    keyCache,
    publicKeys: caches.publicKeys,
    unfinished: new Set<ServerResponse>(),
    answerCounts: createAnswerCounts(),
    now,
    log,
  }
}

function createSources(
  { store }: DeliveryDeps,
  { browser, server, secrets, disk }: DeliveryCaches,
  rateLimitPolicy: string | undefined,
): Pick<Serving, 'browser' | 'server'> {
  const reader = store.delivery
  return {
    browser: {
      snapshots: browser,
      versionStore: createVersionStore(browser, disk.browser, (versions) =>
        listBrowserRows(reader, versions),
      ),
      policies: createHeaderPolicies(rateLimitPolicy),
    },
    server: {
      snapshots: server,
      versionStore: createVersionStore(server, disk.server, (versions) =>
        listServerRows(reader, versions),
      ),
      secrets,
      rateLimitPolicy,
    },
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
