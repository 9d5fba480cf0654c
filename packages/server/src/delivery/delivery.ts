import type { ServerResponse } from 'node:http'
import type { RootKey } from '../crypto/root-key.ts'
import type { ClientAddress } from '../http/client-address.ts'
import type { RateLimiter } from '../http/rate-limit.ts'
import type { KeyRing } from '../identity/key-ring.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createAllowances } from './allowances.ts'
import { createArchive } from './archive.ts'
import {
  createAuthenticate,
  type AuthenticatedPerson,
  type KeyVerifier,
  type PersonCredentials,
} from './authenticate.ts'
import { createBrowserAnswers } from './browser/answer-browser.ts'
import { toBrowserItem, type BrowserItem } from './browser/browser-item.ts'
import { createDiskCache, type DiskCache } from './disk-cache.ts'
import { renderEvent } from './event-stream.ts'
import { createFeed, type Feed, type FeedStatus } from './feed.ts'
import { createDeliveryHandler, type DeliveryAddress, type DeliveryHandler } from './handler.ts'
import { createHeaderPolicies } from './header-policy.ts'
import type { Published } from './published.ts'
import { createRoutes } from './routes.ts'
import { findChanges, listBrowserRows, listServerRows } from './rows.ts'
import { createServerAnswers } from './server/answer-server.ts'
import { createSecretBox, type SecretBox } from './server/secret-box.ts'
import type { ServerRow } from './server/server-item.ts'
import { createShelf, type Shelf } from './shelf.ts'
import type { Audience } from './stream-registry.ts'
import { createStreamDoor, type StreamDoor } from './stream-door.ts'
import { createStreams, unlimitedStreams, type StreamLimits, type Streams } from './streams.ts'

export interface DeliveryDeps {
  readonly store: Pick<Store, 'delivery' | 'onAnnounce'>
  /** `delivery/` is made in it. */
  readonly dataDir: string
  readonly ring: KeyRing
  /** Takes what the ring saved before the last stop. Throws when it has not the form. */
  readonly restoreRing: (saved: unknown) => void
  readonly verifier: KeyVerifier
  /** Given when the API role is in this process: people are known to it alone. */
  readonly authenticatePerson?:
    | ((credentials: PersonCredentials) => Promise<AuthenticatedPerson>)
    | undefined
  /** Empty: server keys are answered with `sealed`. */
  readonly rootKeys: () => readonly RootKey[]
  readonly limiter: RateLimiter
  readonly clientAddress: ClientAddress
  readonly metrics: Pick<Metrics, 'setOpenStreams' | 'recordCutStream' | 'recordRateLimited'>
  readonly log: Log
  readonly now: () => Date
  /** Left out: the default ones, or none where nothing else is limited either. */
  readonly streamLimits?: Partial<StreamLimits> | undefined
}

export interface DeliveryStatus extends FeedStatus {
  /** Where the snapshots in memory come from. */
  readonly loadedFrom: 'nothing' | 'disk' | 'database'
  readonly snapshots: number
  readonly streams: number
}

/** The role that serves configuration. */
export interface Delivery {
  /** The ring it was given, with every change saved to disk: what feeds the ring feeds this one. */
  readonly ring: KeyRing
  /** Loads what the disk has, then follows the database, present or not. */
  start(): Promise<void>
  /** Looks at the database at once. Rejects when it is away. */
  refresh(): Promise<void>
  handlerFor(address: DeliveryAddress): DeliveryHandler
  /** Stands before node:http at the delivery's own address. */
  streamDoor(): StreamDoor
  status(): DeliveryStatus
  /** Ends every stream with a hint when to come back, and opens no more. Connections end with the answers under way. */
  endStreams(): void
  /** Stops following the database. Resolves when the disk has everything. */
  close(): Promise<void>
}

/** Everything that is held in memory, and where it is kept. */
interface Holdings {
  readonly browser: Shelf<BrowserItem>
  readonly server: Shelf<ServerRow>
  readonly secrets: SecretBox
  readonly disk: DiskCache
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { store, log, now, ring } = deps
  const holdings: Holdings = {
    browser: createShelf<BrowserItem>(),
    server: createShelf<ServerRow>(),
    secrets: createSecretBox(deps.rootKeys),
    disk: createDiskCache({ dataDir: deps.dataDir, log }),
  }
  const feed = createPublishedFeed(deps, holdings)
  const allowances = createAllowances({
    limiter: deps.limiter,
    clientAddress: deps.clientAddress,
    recordRateLimited: (rateClass) => deps.metrics.recordRateLimited(rateClass),
  })
  const streams = createStreams({
    metrics: deps.metrics,
    limits: deps.streamLimits ?? (allowances.policy === undefined ? unlimitedStreams : undefined),
  })
  tellStreams(streams, 'browser', holdings.browser)
  tellStreams(streams, 'server', holdings.server)
  const authenticate = createAuthenticate({ ...deps, addressOf: allowances.addressOf })
  const answers = createAnswers(deps, holdings, allowances.policy)
  const routes = createRoutes({ ...answers, streams, allowances, ring })
  const unfinished = new Set<ServerResponse>()
  const listening: (() => void)[] = []
  let fromDisk = false

  return {
    ring: savingRing(ring, () => holdings.disk.saveRing(() => ring.save())),
    async start() {
      fromDisk = await loadFromDisk(deps, holdings)
      listening.push(store.onAnnounce(() => feed.wake()))
      feed.start()
    },
    refresh: () => feed.refresh(),
    handlerFor: (address) =>
      createDeliveryHandler({ authenticate, allowances, routes, unfinished, now, log }, address),
    streamDoor: () => createStreamDoor({ ...answers, authenticate, allowances, streams, now }),
    status() {
      const { readAt, fault } = feed.status()
      const unread = fromDisk ? 'disk' : 'nothing'
      const loadedFrom = readAt === undefined ? unread : 'database'
      const snapshots = holdings.browser.size
      return { readAt, fault, loadedFrom, snapshots, streams: streams.size }
    },
    endStreams() {
      streams.close()
      for (const response of unfinished) response.shouldKeepAlive = false
    },
    async close() {
      for (const stop of listening) stop()
      feed.close()
      streams.close()
      await holdings.disk.flush()
    },
  }
}

function createPublishedFeed(
  { store, now, log }: DeliveryDeps,
  { browser, server, secrets, disk }: Holdings,
): Feed {
  const reader = store.delivery
  return createFeed({
    source: {
      changes: (since) => findChanges(reader, since),
      browserRows: (heads) => listBrowserRows(reader, heads),
      serverRows: (heads) => listServerRows(reader, heads),
    },
    browser: { ...disk.browser, shelf: browser, toItem: toBrowserItem },
    server: { ...disk.server, shelf: server, toItem: (row) => row },
    applyDataKeys(rows) {
      if (secrets.apply(rows)) disk.saveDataKeys(() => secrets.save())
    },
    now,
    log,
  })
}

function createAnswers(
  { store }: DeliveryDeps,
  { browser, server, secrets, disk }: Holdings,
  rateLimitPolicy: string | undefined,
) {
  const reader = store.delivery
  return {
    browser: createBrowserAnswers({
      shelf: browser,
      archive: createArchive(browser, disk.browser, (wanted) => listBrowserRows(reader, wanted)),
      policies: createHeaderPolicies(rateLimitPolicy),
    }),
    server: createServerAnswers({
      shelf: server,
      archive: createArchive(server, disk.server, (wanted) => listServerRows(reader, wanted)),
      secrets,
      rateLimitPolicy,
    }),
  }
}

/** Answers whether there was anything. A cache that cannot be read is no reason not to start. */
async function loadFromDisk(
  { restoreRing, log }: DeliveryDeps,
  { browser, server, secrets, disk }: Holdings,
): Promise<boolean> {
  try {
    const saved = await disk.load()
    secrets.apply(saved.dataKeys)
    for (const row of saved.browser) browser.replace(toBrowserItem(row))
    for (const row of saved.server) server.replace(row)
    if (saved.ring !== undefined) restoreRing(saved.ring)
    return saved.browser.length > 0
  } catch (error) {
    log.error('The disk cache cannot be read; snapshots come from the database', { error })
    return false
  }
}

function tellStreams<Item extends Published>(
  streams: Streams,
  audience: Audience,
  shelf: Shelf<Item>,
): void {
  shelf.onChange((pair, item) => {
    if (item === undefined) streams.end(audience, pair)
    else streams.send(audience, pair, renderEvent(item))
  })
}

function savingRing(ring: KeyRing, save: () => void): KeyRing {
  return {
    ...ring,
    apply(rows) {
      ring.apply(rows)
      if (Object.values(rows).some((each) => each.length > 0)) save()
    },
    replace(rows) {
      ring.replace(rows)
      save()
    },
  }
}
