import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { natsMissing, startNatsServer } from '../../packages/server/src/nats/testing/nats-server.ts'
import { diskMissing } from '../../packages/server/src/nats/testing/own-disk.ts'
import { findFreePort } from '../testing/network/ports.ts'
import {
  catchUp,
  openNatsWorld,
  publish,
  type NatsWorld,
  type WorldKey,
  type WorldNode,
} from '../../packages/server/src/nats/testing/nats-world.ts'
import { openCutLink } from '../testing/network/cut-link.ts'
import { openNatsCluster, type NatsCluster } from '../testing/nats/nats-cluster.ts'
import { until } from '../testing/proof-service.ts'

/** Kills of the server that leads the stream. */
const kills = inject('scale')
/** A link is silent for as long as its node takes to notice; in a longer proof for a minute. */
const silentMs = inject('scale') > 1 ? 60_000 : 0
/** An election takes four to eight seconds, in which nothing can be stored. */
const withoutElectionMs = 4_000

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const step of closing.splice(0).toReversed()) await step()
})

interface Fed {
  readonly world: NatsWorld
  readonly key: WorldKey
  readonly nodes: readonly WorldNode[]
  /** Writes, waits until every node serves it, or those that are named, and returns how long the slowest took. */
  readonly write: (to?: readonly WorldNode[]) => Promise<number>
  /** Lists what a node served of an older version than before. */
  readonly stepsBack: string[]
}

/** Opens a world with a publisher at `url`, and nodes at `nodeUrls`. */
async function openFed(url: string, nodeUrls: readonly string[], domain?: string): Promise<Fed> {
  const world = await openNatsWorld(url)
  closing.push(() => world.close())
  const key = await world.addKey('b2m')
  const publisher = await world.publisher({ ...(domain !== undefined && { domain }) })
  await publish(publisher)
  publisher.start()
  const nodes: WorldNode[] = []
  for (const each of nodeUrls)
    nodes.push(await world.node({ url: each, ...(domain !== undefined && { domain }) }))
  for (const node of nodes) await catchUp(node)
  const newest = new Map<WorldNode, number>()
  const stepsBack: string[] = []
  const read = async (node: WorldNode) => {
    const text = await node.read(key)
    const version = Number(/"version":(\d+)/.exec(text)?.[1] ?? 0)
    if (version < (newest.get(node) ?? 0)) stepsBack.push(text)
    newest.set(node, version)
    return text
  }
  let count = 0
  return {
    world,
    key,
    nodes,
    stepsBack,
    async write(to = nodes) {
      const theme = `theme ${(count += 1)}`
      await world.write(theme)
      const beganAt = performance.now()
      for (const node of to)
        await until(async () => (await read(node)).includes(`"${theme}"`), `${theme} at a node`)
      return performance.now() - beganAt
    },
  }
}

/** Returns the server that leads the stream of the world. */
async function findLeader({ world }: Fed, cluster: NatsCluster) {
  const { bucket } = await world.publisher()
  const link = await world.link()
  let leader: string | undefined
  await until(async () => {
    const info = await link
      .use(async (connection, { jetstreamManager }) => {
        const { streams } = await jetstreamManager(connection, { checkAPI: false })
        return streams.info(bucket.layout.stream)
      })
      .catch(() => undefined)
    leader = info?.cluster?.leader
    return leader !== undefined
  }, 'a leader of the stream')
  const member = cluster.members[Number(leader?.replace('nats-', ''))]
  if (member === undefined) throw new Error(`No server is called ${leader}`)
  return member
}

describe.skipIf(natsMissing !== '')(`servers of NATS${natsMissing}`, () => {
  it('three, of which the one that leads is killed: each change arrives before an election ends, and none is lost', async () => {
    const cluster = await openNatsCluster(3)
    closing.push(() => cluster.close())
    const fed = await openFed(cluster.url, [cluster.url, cluster.url, cluster.url])
    for (let kill = 0; kill < kills; kill += 1) {
      const leader = await findLeader(fed, cluster)
      await fed.write()
      await leader.kill()
      const late = [await fed.write(), await fed.write(), await fed.write()]
      expect(Math.max(...late)).toBeLessThan(withoutElectionMs)
      await leader.start()
      await cluster.ready()
    }
    // A node that has heard nothing finds all of it stored.
    await expectStored(fed)
    expect(fed.stepsBack).toEqual([])
  })

  it('one at a leaf, whose link falls silent: the node serves on, says why it is old, and catches up', async () => {
    const leafPort = await findFreePort()
    const hub = await startNatsServer({
      stores: 'domain: hub',
      config: `leafnodes { listen: "127.0.0.1:${leafPort}" }`,
    })
    closing.push(() => hub.close())
    const link = await openCutLink(leafPort)
    closing.push(() => link.close())
    const leaf = await startNatsServer({
      stores: false,
      config: `leafnodes { remotes: [{ url: "nats-leaf://127.0.0.1:${link.port}" }] }`,
    })
    closing.push(() => leaf.close())
    // Without JetStream a leaf node reaches that of others by its domain alone.
    const { world, key, nodes, write, stepsBack } = await openFed(hub.url, [leaf.url], 'hub')
    const [node] = nodes
    if (node === undefined) throw new Error('There is no node')
    await write()
    const before = await node.read(key)
    link.cut(true)
    for (let count = 0; count < 10; count += 1) await world.write(`unheard ${count}`)
    await until(async () => {
      const ready = (await node.delivery.ask('/readyz')).json() as { upstream: { detail: string } }
      return ready.upstream.detail?.includes('did not answer in time') ?? false
    }, 'a reason in /readyz')
    const silentUntil = performance.now() + silentMs
    do {
      await world.write('unheard too')
      expect(await node.read(key)).toBe(before)
      await delay(200)
    } while (performance.now() < silentUntil)
    link.cut(false)
    // By itself: nothing is written any more.
    await until(async () => (await node.read(key)).includes('unheard too'), 'what was unheard')
    await write()
    expect(stepsBack).toEqual([])
  })

  it('one that cuts off a node which takes nothing: others notice nothing, and the node catches up', async () => {
    const monitor = await findFreePort()
    const server = await startNatsServer({
      config: `max_pending: 1MB, write_deadline: "300ms", http: "127.0.0.1:${monitor}"`,
    })
    closing.push(() => server.close())
    const link = await openCutLink(server.port)
    closing.push(() => link.close())
    const { world, key, nodes, write, stepsBack } = await openFed(server.url, [
      server.url,
      `nats://127.0.0.1:${link.port}`,
    ])
    const [quick, slow] = nodes
    if (quick === undefined || slow === undefined) throw new Error('There are no two nodes')
    await write()
    const before = await slow.read(key)
    const { layout } = (await world.publisher()).bucket
    const loud = await world.link()
    const noise = 'x'.repeat(200_000)
    link.cut(true)
    await until(async () => {
      loud.publish(layout.nowOf('all'), noise)
      const answer = await fetch(`http://127.0.0.1:${monitor}/varz`)
      return ((await answer.json()) as { slow_consumers: number }).slow_consumers > 0
    }, 'a connection that is too slow')
    await write([quick])
    expect(await slow.read(key)).toBe(before)
    link.cut(false)
    await until(
      async () => (await slow.read(key)) === (await quick.read(key)),
      'what the slow node has missed',
    )
    await write()
    expect(stepsBack).toEqual([])
  })

  it.skipIf(diskMissing !== '')(
    `one whose disk is full: changes are said, and stored once there is room${diskMissing}`,
    async () => {
      const server = await startNatsServer({ diskMegabytes: 16 })
      closing.push(() => server.close())
      const fed = await openFed(server.url, [server.url])
      await fed.write()
      await server.fillDisk(true)
      await fed.write()
      await expectRejection(fed, /no space left/)
      await server.fillDisk(false)
      await expectStored(fed)
      expect(fed.stepsBack).toEqual([])
    },
  )

  it('one that cannot store any more: changes are said, and stored once there is room', async () => {
    const server = await startNatsServer()
    closing.push(() => server.close())
    const fed = await openFed(server.url, [server.url])
    await server.kill()
    await server.configure(`accounts: { full: { jetstream: { max_file: 300KB }, users: [{ user: a, password: a }] } }
      no_auth_user: a`)
    await server.loseData()
    await server.start()
    await writeMuch(fed)
    await expectRejection(fed, /resource limits/)
    await server.kill()
    await server.configure('')
    await server.start()
    await expectStored(fed)
    expect(fed.stepsBack).toEqual([])
  })
})

/** Waits until the server refuses to store: control for what is said although it is not stored. */
async function expectRejection({ world }: Fed, reason: RegExp): Promise<void> {
  const other = await world.publisher()
  const isRefused = () =>
    other.refresh().then(
      () => false,
      (error: Error) => reason.test(error.message),
    )
  await until(isRefused, 'a refusal of the full server')
}

/** Waits until a node that hears nothing finds everything in the stream. */
async function expectStored({ world, key, nodes }: Fed): Promise<void> {
  const fresh = await world.node({ isDeaf: true })
  await until(async () => {
    await fresh.refresh()
    return (await fresh.read(key)) === (await nodes[0]?.read(key))
  }, 'the newest version in the stream')
}

/** Writes more than the server can store. */
async function writeMuch({ world, write }: Fed): Promise<void> {
  await world.app.addSchema('large', {
    text: { type: 'string', tier: 'public', default: 'x'.repeat(60_000) },
    more: { type: 'string', tier: 'public', default: 'x'.repeat(60_000) },
    most: { type: 'string', tier: 'public', default: 'x'.repeat(60_000) },
  })
  await write()
}
