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
import { findFreePort } from '../network/ports.ts'

/** The nodes of one machine, which are replaced together: one of the API and one of the delivery, or one that does both. */
export interface NodePair {
  /** Ends them as a deployment does. */
  stop(): Promise<void>
  /** Ends them and starts them again, as this release or as one that is newer by a migration. */
  replace(options: ReplaceNodes): Promise<void>
  /** Everything that the API's node has printed since its start. */
  output(): string
}

/** Names a release: this one, or a newer one whose migration the database then has. */
export type Release = 'this' | 'newer'

/** Describes what takes the place of a pair of nodes. */
export interface ReplaceNodes {
  readonly release: Release
  /** Limits how long these go on when they are stopped in their turn. */
  readonly drainSeconds: number
}

/** Nodes of the API and of the delivery on two machines behind a load balancer, with something to read and write. */
export interface BalancedNodes extends BalancedPlace, Pick<TestDatabase, 'asOwner'> {
  readonly pairs: readonly NodePair[]
  close(): Promise<void>
}

const newer = ['--import', join(import.meta.dirname, 'plant-migration.ts')]

const bootstrapToken = 'bootstrap-token-of-the-proof-0123456789'

/** The first pair is a node for each role; of the second, which the load needs meanwhile, there is one process less to start. */
const rolesOf: readonly (readonly (readonly Role[])[])[] = [
  [['api'], ['delivery']],
  [['api', 'delivery']],
]
type Role = 'api' | 'delivery'

/** Starts the nodes on one database, and HAProxy in front of them. */
export async function openBalancedNodes(
  haproxy: string,
  drainSeconds: number,
): Promise<BalancedNodes> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-balanced-'))
  const database = await createTestDatabase()
  const running = new Set<ServiceProcess>()
  const ports: Record<Role, number[]> = { api: [], delivery: [] }
  for (const port of [ports.api, ports.delivery])
    for (const _ of rolesOf) port.push(await findFreePort())
  const start = async (pair: number, roles: readonly Role[], replacement: ReplaceNodes) => {
    const service = await startService({
      env: {
        DATABASE_URL: database.databaseUrl,
        SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
        SIGNALBOX_BOOTSTRAP_TOKEN: bootstrapToken,
        SIGNALBOX_RATE_LIMITS: 'off',
        SIGNALBOX_DRAIN_SECONDS: String(replacement.drainSeconds),
        SIGNALBOX_DATA_DIR: join(directory, `${roles.join('-')}-${pair}`),
        SIGNALBOX_ROLES: roles.map((role) => (role === 'api' ? 'api,worker' : role)).join(),
        ...(roles.includes('api') && { SIGNALBOX_API_PORT: String(ports.api[pair]) }),
        ...(roles.includes('delivery') && {
          SIGNALBOX_DELIVERY_PORT: String(ports.delivery[pair]),
        }),
        ...(roles.join() === 'delivery' && { SIGNALBOX_DELIVERY_PROCESSES: '2' }),
      },
      nodeOptions: replacement.release === 'newer' ? newer : [],
      timeoutMs: 60_000,
    })
    running.add(service)
    return service
  }
  const openPair = async (
    nodes: readonly (readonly Role[])[],
    index: number,
  ): Promise<NodePair> => {
    const begin = (replacement: ReplaceNodes) =>
      Promise.all(nodes.map((roles) => start(index, roles, replacement)))
    let current = await begin({ release: 'this', drainSeconds })
    const stop = async () => {
      await Promise.all(
        current.map(async (service) => {
          const exitCode = await service.stop()
          running.delete(service)
          if (exitCode !== 0) throw new Error(`It ended with ${exitCode}: ${service.output()}`)
        }),
      )
    }
    return {
      stop,
      output: () => current[0]?.output() ?? '',
      async replace(replacement) {
        await stop()
        current = await begin(replacement)
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
    const pairs = await Promise.all(rolesOf.map(openPair))
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
