import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { openConfigApp, type ConfigApp } from '../../configs/testing/open-config-app.ts'
import { newId } from '../../crypto/ids.ts'
import { newToken } from '../../crypto/tokens.ts'
import { openTestDelivery, type TestDelivery } from '../../delivery/testing/test-delivery.ts'
import { createApiKeyCache } from '../../identity/key-cache/api-key-cache.ts'
import { inboxPrefix } from '../../replica/nats-subjects.ts'
import type { NatsGroup } from '../../settings/nats-settings.ts'
import { silentLog, type Log } from '../../telemetry/log.ts'
import { listPublicKeys } from '../../vault/publisher-keys.ts'
import { openBucket, type Bucket } from '../bucket.ts'
import { openNatsLink, type NatsLink } from '../nats-link.ts'
import { createNatsUpstream } from '../nats-upstream.ts'
import { createNatsPublisher, type NatsPublisher } from '../publisher.ts'
import { createReplicaSource, type ReplicaSource } from '../replica-source.ts'

/** A node that NATS feeds. It reads when it is asked to, and follows what is said. */
export interface WorldNode {
  readonly delivery: TestDelivery
  /** Reads the snapshot with a key: its status and its text. */
  read(key?: WorldKey): Promise<string>
  /** Reads what NATS has, and returns what went wrong. */
  refresh(): Promise<string>
  /** Closes it and keeps its disk. */
  stop(): Promise<void>
}

export interface WorldKey {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
}

export interface WorldPublisher extends NatsPublisher {
  readonly bucket: Bucket
  readonly source: ReplicaSource
}

export interface PublisherOptions {
  /** Stands between the publisher and NATS. */
  readonly alter?: (bucket: Bucket) => Bucket
  readonly alterSource?: (source: ReplicaSource) => ReplicaSource
  readonly groups?: readonly NatsGroup[]
  readonly now?: () => Date
  readonly log?: Log
  readonly domain?: string
}

export interface NodeOptions {
  /** Names its disk. */
  readonly name?: string
  readonly group?: string
  readonly url?: string
  readonly domain?: string
  /** Hears nothing of what is said. */
  readonly isDeaf?: boolean
  readonly hasRootKey?: boolean
}

/** A configuration in a database, publishers that are asked to publish, and nodes. */
export interface NatsWorld {
  readonly app: ConfigApp
  readonly schemaId: string
  readonly environmentId: string
  link(url?: string, prefix?: string): Promise<NatsLink>
  publisher(options?: PublisherOptions): Promise<WorldPublisher>
  node(options?: NodeOptions): Promise<WorldNode>
  addKey(kind: 'b2m' | 'm2m', orgId?: string): Promise<WorldKey>
  /** Writes the public value `theme`. */
  write(theme: string): Promise<void>
  close(): Promise<void>
}

const all: NatsGroup = { name: 'all', organizations: undefined }

function keepSame<T>(same: T): T {
  return same
}

/** Opens a world whose NATS is at `url`, in a bucket of its own. */
export async function openNatsWorld(url: string): Promise<NatsWorld> {
  const app = await openConfigApp()
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-nats-world-'))
  const bucketName = `b${newId('env', new Date()).slice(-12)}`
  const environmentId = await app.addEnvironment('production')
  const schemaId = await app.addSchema('web', {
    theme: { type: 'string', tier: 'public', default: 'dark' },
    pin: { type: 'string', default: 'canary-1234' },
  })
  const path = `/snapshots/${schemaId}/${environmentId}`
  const publicKeys = await listPublicKeys(app.test)
  const closing: (() => Promise<void>)[] = []
  let count = 0

  const link = async (to = url, prefix = 'test') => {
    const opened = await openNatsLink({
      settings: { servers: to.split(','), seed: undefined, ca: undefined, isEncrypted: false },
      inboxPrefix: inboxPrefix(prefix),
      log: silentLog,
    })
    closing.push(() => opened.close())
    return opened
  }
  return {
    app,
    schemaId,
    environmentId,
    link,
    async publisher({ alter = keepSame, alterSource = keepSame, domain, ...more } = {}) {
      const own = await link()
      const bucket = alter(openBucket(own, bucketName, domain))
      const { store } = app.test
      const source = alterSource(
        createReplicaSource({ store, now: () => new Date(), log: silentLog }),
      )
      const publisher = createNatsPublisher({
        link: own,
        bucket,
        store,
        source,
        publisherKeys: app.deps.publisherKeys,
        groups: [all],
        now: () => new Date(),
        log: silentLog,
        ...more,
      })
      closing.push(() => publisher.close())
      return { ...publisher, bucket, source }
    },
    async node({ name = `node-${(count += 1)}`, group = 'all', isDeaf, hasRootKey, ...more } = {}) {
      const own = await link(more.url, group)
      const heard = isDeaf === true ? { ...own, subscribe: () => () => {} } : own
      const bucket = openBucket(own, bucketName, more.domain)
      const delivery = await openTestDelivery({
        rootKeys: hasRootKey === false ? [] : app.rootKeys(),
        dataDir: join(directory, name),
        keyCache: createApiKeyCache(),
        deps: {
          now: () => new Date(),
          upstream: createNatsUpstream({ link: heard, bucket, group, publicKeys }),
        },
      })
      const stop = async () => {
        await delivery.delivery.flush()
        await delivery.stop()
        await own.close()
      }
      let stopped: Promise<void> | undefined
      const stopOnce = () => (stopped ??= stop())
      closing.push(stopOnce)
      return {
        delivery,
        stop: stopOnce,
        read: async (key) => {
          const { status, text } = await delivery.ask(path, { headers: { ...key?.headers } })
          return `${status} ${text}`
        },
        refresh: () =>
          delivery.delivery.refresh().then(
            () => 'read',
            (error: Error) => error.message,
          ),
      }
    },
    async addKey(kind, orgId = app.orgId) {
      const id = newId('key', new Date())
      const { token, handle, hash } = newToken(kind)
      await app.test.asOwner(
        `with k as (insert into api_keys (org_id, id, name, kind, created_by) values ($1, $2, 'k', $3, '{}'))
         insert into api_key_secrets (org_id, key_id, handle, hash) values ($1, $2, $4, $5)`,
        [orgId, id, kind, handle, hash],
      )
      return { id, headers: { authorization: `Bearer ${token}` } }
    },
    async write(theme) {
      const body = { schemaId, environmentId, values: { theme } }
      await app.ok('owner', 'PUT /config-values', { body })
    },
    async close() {
      for (const step of closing.toReversed()) await step()
      await app.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const patience = { timeout: 30_000, interval: 50 }

/** Publishes until it succeeds: NATS may be starting. */
export async function publish(publisher: NatsPublisher): Promise<void> {
  await vi.waitFor(() => publisher.refresh(), patience)
}

/** Reads until it succeeds: a node may be connecting, and NATS be starting. */
export async function catchUp(node: WorldNode): Promise<void> {
  await vi.waitFor(async () => {
    const outcome = await node.refresh()
    if (outcome !== 'read') throw new Error(outcome)
  }, patience)
}
