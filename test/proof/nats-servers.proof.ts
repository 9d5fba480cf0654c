import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { natsMissing, startNatsServer } from '../../packages/server/src/nats/testing/nats-server.ts'
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
  /** Writes, waits until every node serves it, and returns how long the slowest took. */
  readonly write: () => Promise<number>
  /** Lists what a node served of an older version than before. */
  readonly stepsBack: string[]
}

/** Opens a world with a publisher at `url`, and nodes at `nodeUrls`. */
async function openFed(url: string, nodeUrls: readonly string[], domain?: string): Promise<Fed> {
  const world = await openNatsWorld(url)
  closing.push(() => world.close())
  const key = await world.addKey('b2m')
  const publisher = await world.publisher()
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
    async write() {
      const theme = `theme ${(count += 1)}`
      await world.write(theme)
      const beganAt = performance.now()
      for (const node of nodes)
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
    const answer = await link
      .request(`$JS.API.STREAM.INFO.${bucket.layout.stream}`, { data: '{}' })
      .catch(() => undefined)
    if (answer === undefined) return false
    const info = JSON.parse(Buffer.from(answer.data).toString()) as {
      cluster?: { leader?: string }
    }
    leader = info.cluster?.leader
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
    const fresh = await fed.world.node({ isDeaf: true })
    await catchUp(fresh)
    await until(async () => {
      await fresh.refresh()
      return (await fresh.read(fed.key)) === (await fed.nodes[0]?.read(fed.key))
    }, 'the newest version in the stream')
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
    expect(await node.read(key)).toBe(before)
    link.cut(false)
    await write()
    expect(stepsBack).toEqual([])
  })

  it('one that cannot store any more: changes are said, and stored once there is room', async () => {
    const server = await startNatsServer({ config: 'max_pending: 1MB, write_deadline: "300ms"' })
    closing.push(() => server.close())
    const fed = await openFed(server.url, [server.url])
    const slow = connect(server.port, '127.0.0.1')
    closing.push(() => slow.destroy())
    await once(slow, 'connect')
    const { layout } = (await fed.world.publisher()).bucket
    slow.write(`CONNECT {"verbose":false}\r\nSUB ${layout.nowOf('all')} 1\r\nPING\r\n`)
    slow.pause()
    // Somebody who listens and reads nothing is cut off, and others notice nothing.
    const loud = await fed.world.link()
    const noise = 'x'.repeat(200_000)
    await until(() => Promise.resolve(loud.publish(layout.nowOf('all'), noise)), 'a connection')
    for (let count = 0; count < 80; count += 1) loud.publish(layout.nowOf('all'), noise)
    await fed.write()
    slow.resume()
    await once(slow, 'close')

    await server.kill()
    await server.configure(`accounts: { full: { jetstream: { max_file: 300KB }, users: [{ user: a, password: a }] } }
      no_auth_user: a`)
    await server.loseData()
    await server.start()
    await writeMuch(fed)
    // Control: it is said and not stored.
    const other = await fed.world.publisher()
    await until(
      () =>
        other.refresh().then(
          () => false,
          (error: Error) => /resource limits/.test(error.message),
        ),
      'a refusal of the full server',
    )
    await server.kill()
    await server.configure('')
    await server.start()
    const fresh = await fed.world.node({ isDeaf: true })
    await until(async () => {
      await fresh.refresh()
      return (await fresh.read(fed.key)) === (await fed.nodes[0]?.read(fed.key))
    }, 'everything in the stream')
    expect(fed.stepsBack).toEqual([])
  })
})

/** Writes more than the server can store. */
async function writeMuch({ world, write }: Fed): Promise<void> {
  await world.app.addSchema('large', {
    text: { type: 'string', tier: 'public', default: 'x'.repeat(60_000) },
    more: { type: 'string', tier: 'public', default: 'x'.repeat(60_000) },
    most: { type: 'string', tier: 'public', default: 'x'.repeat(60_000) },
  })
  await write()
}
