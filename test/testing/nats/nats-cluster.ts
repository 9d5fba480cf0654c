import { setTimeout as delay } from 'node:timers/promises'
import { startNatsServer } from '../../../packages/server/src/nats/testing/nats-server.ts'
import { until } from '../proof-service.ts'
import { findFreePort } from '../network/ports.ts'

/** Describes one nats-server of a cluster, with its own disk. */
export interface NatsMember {
  readonly port: number
  /** Ends it as a crash does. Its disk stays. */
  kill(): Promise<void>
  /** Starts it again, on its disk or with `isEmpty` on a new one. */
  start(isEmpty?: boolean): Promise<void>
  /** Halts it, or lets it go on: it keeps its connections and says nothing. */
  freeze(isFrozen: boolean): void
}

/** Describes the nats-servers of one cluster on this machine, without TLS and users. */
export interface NatsCluster {
  /** The value of `SIGNALBOX_NATS_URL`. */
  readonly url: string
  readonly members: readonly NatsMember[]
  /** Resolves once the members have a leader for JetStream. */
  ready(): Promise<void>
  /**
   * Waits for the same after a fault. A member that stays behind the others for half a minute, as nats-server 2.10 sometimes does
   * after a kill, gets an empty disk, which is what its operator would give it.
   */
  recover(): Promise<void>
  /** Counts the disks that were replaced so. */
  readonly replaced: number
  close(): Promise<void>
}

interface Ports {
  readonly client: number
  readonly route: number
  readonly monitor: number
}

/** Starts `size` nats-servers as one cluster, or one alone. They say nothing of each other to clients, so that a proxy stays between. */
export async function openNatsCluster(size: 1 | 3): Promise<NatsCluster> {
  const ports: Ports[] = []
  for (let count = 0; count < size; count += 1) {
    const [client, route, monitor] = [
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
    ]
    ports.push({ client, route, monitor })
  }
  const routes =
    size === 1 ? undefined : ports.map(({ route }) => `"nats://127.0.0.1:${route}"`).join(', ')
  const members = await Promise.all(ports.map((own, index) => openMember({ own, index, routes })))
  let health: readonly string[] = []
  const isReady = async () => {
    health = await Promise.all(ports.map(({ monitor }) => readHealth(monitor)))
    return health.every((each) => each === 'ok')
  }
  const ready = () =>
    until(isReady, 'a leader of JetStream', 60_000).catch((error: unknown) => {
      throw new Error(`The servers say ${JSON.stringify(health)}`, { cause: error })
    })
  let missing: readonly NatsMember[] = []
  const isWhole = async () => {
    const listed = await Promise.all(ports.map(({ monitor }) => readMembers(monitor)))
    const names = listed.find((each) => each !== undefined)
    if (names !== undefined) missing = members.filter((_, index) => !names.has(nameOf(index)))
    return names?.size === size
  }
  const becomeWhole = async () => {
    for (let restarts = 0; restarts < 10; restarts += 1) {
      try {
        return await until(isWhole, `JetStream on ${size} servers`, 3_000)
      } catch {
        for (const member of missing) {
          await member.kill()
          await member.start()
        }
      }
    }
    throw new Error(`JetStream does not run on ${size} servers`)
  }
  let replaced = 0
  await ready()
  if (size > 1) await becomeWhole()
  return {
    url: ports.map(({ client }) => `nats://127.0.0.1:${client}`).join(','),
    members,
    ready,
    async recover() {
      try {
        await until(isReady, 'every member', 30_000)
      } catch {
        // One at a time: the others hold what it lacks.
        const behind = members[health.findIndex((each) => each !== 'ok')]
        await behind?.kill()
        await behind?.start(true)
        replaced += 1
        await ready()
      }
    },
    get replaced() {
      return replaced
    },
    async close() {
      await Promise.all(members.map((member) => member.close()))
    },
  }
}

const nameOf = (index: number) => `nats-${index}`

interface MemberOptions {
  readonly own: Ports
  readonly index: number
  /** Holds the addresses of all members; undefined for a server that is alone. */
  readonly routes: string | undefined
}

async function openMember({ own, index, routes }: MemberOptions) {
  const cluster = `cluster { name: shop, listen: "127.0.0.1:${own.route}", no_advertise: true, routes: [${routes}] }`
  const server = await startNatsServer({
    port: own.client,
    config: [
      `server_name: ${nameOf(index)}`,
      `http: "127.0.0.1:${own.monitor}"`,
      ...(routes === undefined ? [] : [cluster]),
    ].join('\n'),
  })
  return {
    ...server,
    async start(isEmpty = false) {
      if (isEmpty) await server.loseData()
      await server.start()
    },
  }
}

/** Returns `ok`, or why a server is not healthy. */
async function readHealth(monitor: number): Promise<string> {
  try {
    const answer = await fetch(`http://127.0.0.1:${monitor}/healthz`)
    const text = await answer.text()
    return answer.ok ? 'ok' : text
  } catch {
    await delay(50)
    return 'no answer'
  }
}

/** Describes what `/jsz` of a monitor says of JetStream. Only the server that leads it knows the others. */
interface JetStreamInfo {
  readonly meta_cluster?: {
    readonly leader?: string
    readonly replicas?: readonly { readonly name: string }[]
  }
}

/**
 * Returns the names of the servers on which JetStream runs, or undefined where `monitor` is not the one that leads it. nats-server
 * 2.10 sometimes leaves out one of several that start at once, for good: it counted it before it had heard that it has JetStream.
 */
async function readMembers(monitor: number): Promise<ReadonlySet<string> | undefined> {
  const answer = await fetch(`http://127.0.0.1:${monitor}/jsz`)
  const { meta_cluster: cluster } = (await answer.json()) as JetStreamInfo
  if (cluster?.leader === undefined || cluster.replicas === undefined) return undefined
  return new Set([cluster.leader, ...cluster.replicas.map(({ name }) => name)])
}
