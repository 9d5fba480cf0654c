import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiKeyKind } from '@signalbox/contract'
import { createAccessTokenIssuer } from '../../crypto/access-tokens.ts'
import { newId } from '../../crypto/ids.ts'
import { generateRootKey, type RootKey } from '../../crypto/root-key.ts'
import { newToken } from '../../crypto/tokens.ts'
import { createClientAddress } from '../../http/admission/client-address.ts'
import { parseRateLimits, type RateLimits } from '../../http/admission/rate-classes.ts'
import { createRateLimiter } from '../../http/admission/rate-limit.ts'
import type { ConnectionLimits } from '../../http/limit-connections.ts'
import type { ServerTimeouts } from '../../http/limit-server.ts'
import { createApiKeyCache, type ApiKeyCache } from '../../identity/key-cache/api-key-cache.ts'
import { parseApiKeyRows, type SavedKey } from '../../identity/key-cache/saved-api-keys.ts'
import { createTokenVerifier } from '../../identity/verify-token.ts'
import { silentLog, type Log } from '../../telemetry/log.ts'
import { createDelivery } from '../delivery.ts'
import type { DeliveryDeps } from '../delivery-deps.ts'
import { openDeliveryListener } from '../http/listener.ts'
import { createFakePublisher, type FakePublisher, type PublishedValues } from './fake-publisher.ts'
import { ask, openStream, type Ask } from './http-client.ts'

const moment = new Date('2026-11-21T06:00:00.000Z')

/** An organization with a schema and an environment. */
export const testSnapshot = {
  orgId: newId('org', moment),
  schemaId: newId('sch', moment),
  schema: 'web',
  environmentId: newId('env', moment),
  environment: 'production',
} as const

export const otherOrgId = newId('org', moment)

export interface TestDeliveryOptions {
  readonly publisher?: FakePublisher
  readonly rootKey?: RootKey
  /** Left out: the root key the publisher seals under. */
  readonly rootKeys?: readonly RootKey[]
  readonly rateLimits?: RateLimits
  readonly dataDir?: string
  readonly log?: Log
  readonly deps?: Partial<DeliveryDeps>
  readonly keyCache?: ReturnType<typeof createApiKeyCache>
  readonly drainMs?: number
  readonly plainStreams?: boolean
  /** Default: a clock that stands still but for `pass`. */
  readonly now?: (() => Date) | undefined
  readonly timeouts?: Partial<ServerTimeouts>
  readonly connections?: ConnectionLimits
}

export type TestDelivery = Awaited<ReturnType<typeof openTestDelivery>>

/** A delivery with its own listener, fed by a fake publisher. */
export async function openTestDelivery(options: TestDeliveryOptions = {}) {
  const { rootKey = generateRootKey(), log = silentLog } = options
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'signalbox-delivery-')))
  const publisher = options.publisher ?? createFakePublisher(rootKey)
  const keyCache = options.keyCache ?? createApiKeyCache()
  let clock = moment
  const { now = () => clock } = options
  const delivery = createDelivery({
    store: publisher.store,
    dataDir,
    keyCache,
    restoreKeyCache: (saved) => keyCache.replace(parseApiKeyRows(saved)),
    verifier: createTokenVerifier({ keyCache, now }),
    rootKeys: () => options.rootKeys ?? [rootKey],
    limiter: createRateLimiter(options.rateLimits ?? 'off'),
    clientAddress: createClientAddress([]),
    metrics: {
      setOpenStreams() {},
      recordCutStream() {},
      recordRateLimited() {},
      recordReplicaRefused() {},
      watchEpoch() {},
      watchDelivery() {},
    },
    log,
    now,
    ...options.deps,
  })
  await delivery.start()
  if (isNew(options)) addOrganizations(delivery.keyCache)
  const listener = await openDeliveryListener({
    delivery,
    host: '127.0.0.1',
    port: 0,
    now,
    metrics: { recordRefusedConnection() {} },
    plainStreams: options.plainStreams ?? false,
    timeouts: options.timeouts,
    connections: options.connections,
    ...(options.drainMs === undefined ? {} : { drainMs: options.drainMs }),
  })
  const { port } = listener

  const addKey = (kind: ApiKeyKind, rights: Partial<SavedKey> = {}) => {
    const { token, handle, hash } = newToken(kind)
    const key: SavedKey = {
      orgId: testSnapshot.orgId,
      id: newId('key', moment),
      name: 'a key',
      kind,
      access: 'write',
      environmentIds: null,
      schemaIds: null,
      allowedOrigins: null,
      allowedNetworks: null,
      expiresAt: null,
      revokedAt: null,
      ...rights,
    }
    const secret = {
      orgId: key.orgId,
      keyId: key.id,
      handle,
      hash: hash.toString('base64'),
      expiresAt: null,
    }
    delivery.keyCache.apply({ organizations: [], keys: [key], secrets: [secret], signingKeys: [] })
    return { token, handle, key, headers: { authorization: `Bearer ${token}` } }
  }
  return {
    port,
    delivery,
    listener,
    publisher,
    keyCache,
    rootKey,
    dataDir,
    now,
    addKey,
    /** Applies another state of a key that was added. */
    changeKey(key: SavedKey, change: Partial<SavedKey>) {
      const changed = { ...key, ...change }
      delivery.keyCache.apply({ organizations: [], keys: [changed], secrets: [], signingKeys: [] })
    },
    async issueAccessToken({ key, handle }: { key: SavedKey; handle: string }) {
      const issuer = await createAccessTokenIssuer(rootKey)
      const { publicJwk } = issuer
      const signingKey = { id: String(publicJwk.kid), publicJwk: { ...publicJwk }, retired: false }
      delivery.keyCache.apply({
        organizations: [],
        keys: [],
        secrets: [],
        signingKeys: [signingKey],
      })
      return issuer.issue({ keyId: key.id, orgId: key.orgId, handle }, clock)
    },
    async publish(values: Partial<PublishedValues> = {}, audiences: 'both' | 'server' = 'both') {
      if (audiences === 'both') publisher.publishBrowser({ ...testSnapshot, ...values })
      publisher.publishServer({ ...testSnapshot, ...values })
      await delivery.refresh()
    },
    /** Moves the clock. */
    pass(milliseconds: number) {
      clock = new Date(clock.getTime() + milliseconds)
    },
    ask: (path: string, request?: Ask) => ask(port, path, request),
    stream: (path: string, headers?: Record<string, string>) => openStream(port, path, headers),
    async stop() {
      await listener.close()
      await delivery.close()
    },
    async close() {
      await listener.close()
      await delivery.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export const snapshotPath = `/snapshots/${testSnapshot.schemaId}/${testSnapshot.environmentId}`
export const defaultLimits = parseRateLimits(undefined)

/** Returns whether nothing was there before: neither keys nor what an earlier delivery has left on its disk. */
function isNew({ keyCache, dataDir }: TestDeliveryOptions): boolean {
  return keyCache === undefined && dataDir === undefined
}

function addOrganizations(keyCache: ApiKeyCache): void {
  const organizations = [
    { id: testSnapshot.orgId, slug: 'acme', name: 'Acme', deletedAt: null },
    { id: otherOrgId, slug: 'other', name: 'Other', deletedAt: null },
  ]
  keyCache.apply({ organizations, keys: [], secrets: [], signingKeys: [] })
}
