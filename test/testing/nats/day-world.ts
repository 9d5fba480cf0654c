import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService, type ServiceProcess } from '../../../e2e/start-service.ts'
import { openFailoverPair, type FailoverPair } from '../database/failover-pair.ts'
import { openCutLink } from '../network/cut-link.ts'
import { findFreePort } from '../network/ports.ts'
import { openShopNodes, type ShopNodes } from '../shop-nodes.ts'
import { openDayMarks, type DayMarks } from './day-marks.ts'
import { openRetryingCourier } from './retrying-courier.ts'
import { openNatsCluster, type NatsCluster } from './nats-cluster.ts'

/** Describes a delivery node without a database, at one address through all of its lives. */
export interface EdgeNode {
  readonly configUrl: string
  kill(): Promise<void>
  start(): Promise<void>
  /** Has its links to NATS pass nothing, or go on. Nobody is told. */
  cut(isCut: boolean): void
}

/** Describes a whole installation: two nodes of the API and the worker, a database with a standby, NATS, and delivery nodes. */
export interface DayWorld {
  readonly shop: ShopNodes
  readonly database: FailoverPair
  readonly cluster: NatsCluster
  readonly edges: readonly EdgeNode[]
  readonly place: DayPlace
  readonly marks: DayMarks
  close(): Promise<void>
}

/** Names what is written and read. */
export interface DayPlace {
  readonly schemaId: string
  readonly environmentIds: readonly string[]
  readonly serverKey: string
  readonly browserKey: string
}

/** Configures `openDayWorld`. */
export interface OpenDayWorld {
  readonly edges: number
  /** Holds further options of Node for the delivery nodes: a control takes their defence away with them. */
  readonly edgeOptions?: readonly string[]
  /** Holds those for the nodes of the API and the worker. */
  readonly shopOptions?: readonly string[]
}

/** Starts everything, and waits until each delivery node serves what was made. */
export async function openDayWorld(of: OpenDayWorld): Promise<DayWorld> {
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const step of closing.toReversed()) await step()
  }
  try {
    const directory = await mkdtemp(join(tmpdir(), 'signalbox-day-'))
    closing.push(() => rm(directory, { recursive: true, force: true }))
    const keep = async <T extends { close(): unknown }>(opening: Promise<T>): Promise<T> => {
      const opened = await opening
      closing.push(() => opened.close())
      return opened
    }
    // Side by side: both wait for elections and copies more than they compute.
    const opening = [keep(openNatsCluster(3)), keep(openFailoverPair())] as const
    await Promise.allSettled(opening)
    const [cluster, database] = await Promise.all(opening)
    const shop = await openShopNodes({
      env: { SIGNALBOX_NATS_URL: cluster.url },
      nodeOptions: of.shopOptions ?? [],
      database: {
        databaseUrl: database.databaseUrl,
        asOwner: (sql, values) => database.query(sql, values),
        drop: async () => {},
      },
    })
    closing.push(() => shop.close())
    const place = await furnish(shop)
    closing.push(await repeatWebhooks(shop))
    const [key] = await shop.asOwner<{ publicKey: string }>(
      'select public_key as "publicKey" from publisher_keys where retired_at is null',
    )
    const openings = Array.from({ length: of.edges }, (_, index) =>
      openEdge(
        cluster,
        {
          SIGNALBOX_PUBLISHER_KEYS: key?.publicKey ?? '',
          SIGNALBOX_DATA_DIR: join(directory, String(index)),
        },
        of.edgeOptions ?? [],
      ),
    )
    const edges = await Promise.all(openings)
    closing.push(() => Promise.all(edges.map((edge) => edge.close())))
    const marks = await keep(openDayMarks(cluster))
    return { shop, database, cluster, edges, place, marks, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Has each webhook repeated until a node has it, and messages sent to one channel. Returns what ends that. */
async function repeatWebhooks({ nodes, organization, sandbox }: ShopNodes) {
  await organization.ask('PATCH /integrations/chat', {
    defaultChannelId: sandbox.slack.channelId('deployments'),
  })
  const courier = await openRetryingCourier(() =>
    nodes.filter(({ isUp }) => isUp).map(({ apiUrl }) => apiUrl),
  )
  const { github } = sandbox
  github.hooks.timeLimitMs = 300_000
  await github.hooks.settled()
  github.app.webhookUrl = courier.url
  return () => courier.close()
}

async function furnish({ organization }: ShopNodes): Promise<DayPlace> {
  const make = async (path: string, body: object) =>
    organization.ask<{ readonly id: string; readonly secret: string }>(`POST ${path}`, body)
  const environmentIds: string[] = []
  for (const name of ['morning', 'noon', 'evening'])
    environmentIds.push((await make('/environments', { name })).id)
  const schema = { count: { type: 'number', tier: 'public', default: 0 } }
  const { id: schemaId } = await make('/config-schemas', { name: 'day', schema })
  const { secret: serverKey } = await make('/api-keys', { name: 'writer', kind: 'm2m' })
  const { secret: browserKey } = await make('/api-keys', { name: 'reader', kind: 'b2m' })
  return { schemaId, environmentIds, serverKey, browserKey }
}

interface ClosableEdge extends EdgeNode {
  close(): Promise<void>
}

async function openEdge(
  { members }: NatsCluster,
  settings: Readonly<Record<string, string>>,
  nodeOptions: readonly string[],
): Promise<ClosableEdge> {
  const links = await Promise.all(members.map(({ port }) => openCutLink(port)))
  const port = await findFreePort()
  const env = {
    ...settings,
    SIGNALBOX_ROLES: 'delivery',
    SIGNALBOX_NATS_URL: links.map((link) => `nats://127.0.0.1:${link.port}`).join(','),
    SIGNALBOX_DELIVERY_PORT: String(port),
    SIGNALBOX_RATE_LIMITS: 'off',
  }
  let running: ServiceProcess | undefined
  const start = async () => {
    running ??= await startService({ env, nodeOptions, timeoutMs: 120_000 })
  }
  const kill = async () => {
    const ending = running
    running = undefined
    await ending?.kill()
  }
  await start()
  return {
    configUrl: `http://127.0.0.1:${port}`,
    start,
    kill,
    cut(isCut) {
      for (const link of links) link.cut(isCut)
    },
    async close() {
      await kill()
      for (const link of links) link.close()
    },
  }
}
