import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
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
  close(): Promise<void>
}

interface Ports {
  readonly client: number
  readonly route: number
  readonly monitor: number
}

/** Starts `size` nats-servers as one cluster, or one alone. They say nothing of each other to clients, so that a proxy stays between. */
export async function openNatsCluster(program: string, size: 1 | 3): Promise<NatsCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-cluster-'))
  const ports: Ports[] = []
  for (let count = 0; count < size; count += 1) {
    const [client, route, monitor] = [
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
    ]
    ports.push({ client, route, monitor })
  }
  const routes = ports.map(({ route }) => `"nats://127.0.0.1:${route}"`).join(', ')
  const members = ports.map((own, index) =>
    openMember(program, { directory, own, index, routes, size }),
  )
  const ready = () =>
    until(
      async () =>
        (await Promise.all(ports.map(({ monitor }) => isHealthy(monitor)))).every(Boolean),
      'a leader of JetStream',
      60_000,
    )
  await Promise.all(members.map((member) => member.start()))
  await ready()
  return {
    url: ports.map(({ client }) => `nats://127.0.0.1:${client}`).join(','),
    members,
    ready,
    async close() {
      await Promise.all(members.map((member) => member.kill()))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

interface MemberPlace {
  readonly directory: string
  readonly own: Ports
  readonly index: number
  readonly routes: string
  readonly size: number
}

function openMember(program: string, { directory, own, index, routes, size }: MemberPlace) {
  const file = join(directory, `${index}.conf`)
  let disks = 0
  let child: ChildProcess | undefined
  const config = () => [
    `server_name: nats-${index}`,
    `listen: "127.0.0.1:${own.client}"`,
    `http: "127.0.0.1:${own.monitor}"`,
    `jetstream { store_dir: "${join(directory, `${index}-${disks}`)}" }`,
    ...(size > 1
      ? [
          `cluster { name: shop, listen: "127.0.0.1:${own.route}", no_advertise: true, routes: [${routes}] }`,
        ]
      : []),
  ]
  return {
    port: own.client,
    async kill() {
      const ending = child
      child = undefined
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
      const ended = once(ending, 'exit')
      ending.kill('SIGKILL')
      await ended
    },
    async start(isEmpty = false) {
      if (isEmpty) disks += 1
      await writeFile(file, `${config().join('\n')}\n`)
      child = spawn(program, ['-c', file], { stdio: 'ignore' })
      await once(child, 'spawn')
    },
    freeze(isFrozen: boolean) {
      child?.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT')
    },
  } satisfies NatsMember
}

async function isHealthy(monitor: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${monitor}/healthz`)
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    await delay(50)
    return false
  }
}
