import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService, type ServiceProcess } from '../../../e2e/start-service.ts'
import {
  createTestDatabase,
  type TestDatabase,
} from '../../../packages/server/src/store/testing/test-database.ts'
import type { BalancedPlace } from './balanced-load.ts'
import { openLoadBalancer, type LoadBalancer } from './haproxy.ts'
import { createClient } from '../http.ts'
import { createMaker } from '../organization.ts'
import { findFreePort } from '../shop-service.ts'

/** One node of the API and one of the delivery, which are replaced together. */
export interface NodePair {
  /** Ends both as a deployment does, and starts them again, as this release or as one that is newer by a migration. */
  replace(release?: Release): Promise<void>
  /** Everything that the API's node has printed since its start. */
  output(): string
}

/** Names a release: this one, or a newer one whose migration the database then has. */
export type Release = 'this' | 'newer'

/** Two nodes of the API and two of the delivery behind a load balancer, with something to read and write. */
export interface BalancedNodes extends BalancedPlace, Pick<TestDatabase, 'asOwner'> {
  readonly pairs: readonly NodePair[]
  close(): Promise<void>
}

const newer = ['--import', join(import.meta.dirname, 'plant-migration.ts')]

const bootstrapToken = 'bootstrap-token-of-the-proof-0123456789'

/** Starts the nodes on one database, and HAProxy in front of them. */
export async function openBalancedNodes(
  haproxy: string,
  { drainSeconds }: { readonly drainSeconds: number },
): Promise<BalancedNodes> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-balanced-'))
  const database = await createTestDatabase()
  const env = {
    DATABASE_URL: database.databaseUrl,
    SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
    SIGNALBOX_BOOTSTRAP_TOKEN: bootstrapToken,
    SIGNALBOX_RATE_LIMITS: 'off',
    SIGNALBOX_DRAIN_SECONDS: String(drainSeconds),
  }
  const running = new Set<ServiceProcess>()
  const start = async (
    name: string,
    release: Release,
    settings: Readonly<Record<string, string>>,
  ) => {
    const data = { SIGNALBOX_DATA_DIR: join(directory, name) }
    const service = await startService({
      env: { ...env, ...data, ...settings },
      nodeOptions: release === 'newer' ? newer : [],
      timeoutMs: 60_000,
    })
    running.add(service)
    return service
  }
  const ports: Record<'api' | 'delivery', number[]> = { api: [], delivery: [] }
  const openPair = async (index: number): Promise<NodePair> => {
    const [api, delivery] = [await findFreePort(), await findFreePort()]
    ports.api.push(api)
    ports.delivery.push(delivery)
    const begin = (release: Release) =>
      Promise.all([
        start(`api-${index}`, release, {
          SIGNALBOX_ROLES: 'api,worker',
          SIGNALBOX_API_PORT: String(api),
        }),
        start(`delivery-${index}`, release, {
          SIGNALBOX_ROLES: 'delivery',
          SIGNALBOX_DELIVERY_PORT: String(delivery),
        }),
      ])
    let current = await begin('this')
    return {
      output: () => current[0].output(),
      async replace(release = 'this') {
        await Promise.all(
          current.map(async (service) => {
            const exitCode = await service.stop()
            running.delete(service)
            if (exitCode !== 0) throw new Error(`It ended with ${exitCode}: ${service.output()}`)
          }),
        )
        current = await begin(release)
      },
    }
  }
  let balancer: LoadBalancer | undefined
  const close = async () => {
    await balancer?.close()
    for (const service of running) await service.kill()
    await database.drop()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    const pairs = [await openPair(0), await openPair(1)]
    balancer = await openLoadBalancer(haproxy, ports)
    const { api: apiUrl = '', delivery: configUrl = '' } = balancer.urls
    return {
      ...(await furnish(apiUrl)),
      apiUrl,
      configUrl,
      pairs,
      asOwner: (sql, values) => database.asOwner(sql, values),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function furnish(apiUrl: string) {
  const client = createClient(apiUrl)
  const maker = createMaker(client, bootstrapToken)
  const { id: orgId } = await maker.organization('Rolling')
  const { id: environmentId } = await maker.environment(orgId, { name: 'production' })
  const open = { type: 'string', tier: 'public', default: 'nothing yet' }
  const { id: schemaId } = await maker.schema(orgId, { name: 'app', schema: { open } })
  const { secret: serverKey } = await maker.key(orgId, { name: 'server', kind: 'm2m' })
  const { secret: browserKey } = await maker.key(orgId, { name: 'browser', kind: 'b2m' })
  client.close()
  return { orgId, environmentId, schemaId, serverKey, browserKey }
}
