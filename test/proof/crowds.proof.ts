import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { createClient } from '../testing/http.ts'
import { createMaker } from '../testing/organization.ts'
import { openProofService } from '../testing/proof-service.ts'
import { loopbackAddress, openCrowdStream, type CrowdStream } from '../testing/stream-crowd.ts'

/** Lists what a node has to bear with its default limits. */
const stormClients = 10_000
const stormMs = 20_000
const attackerAddresses = 500
const visitors = 200

const closing: (() => Promise<void> | void)[] = []
const opened = new Set<CrowdStream>()
afterEach(async () => {
  for (const { socket } of opened) socket.destroy()
  opened.clear()
  for (const close of closing.splice(0).toReversed()) await close()
})

async function open(env: Readonly<Record<string, string>> = {}) {
  // Empty: the limits that apply by default.
  const service = await openProofService({ env: { SIGNALBOX_RATE_LIMITS: '', ...env } })
  closing.push(() => service.close())
  const { apiUrl, configUrl } = service.current()
  const api = createClient(apiUrl)
  closing.push(() => api.close())
  const maker = createMaker(api, service.bootstrapToken)
  /** Adds an organization with a site, and returns the path of its snapshot and the query with its public key. */
  const addSite = async (name: string) => {
    const { id: orgId } = await maker.organization(name)
    const { id: environmentId } = await maker.environment(orgId, { name: 'live' })
    const schema = { theme: { type: 'string', tier: 'public' } }
    const { id: schemaId } = await maker.schema(orgId, { name: 'web', schema })
    const target = { schemaId, environmentId, values: { theme: 'dark' } }
    await maker.call(`PUT /organizations/${orgId}/config-values`, target)
    const { secret } = await maker.key(orgId, { name: 'web', kind: 'b2m' })
    const snapshot = `/snapshots/${schemaId}/${environmentId}`
    return { read: `${snapshot}?apiKey=${secret}`, stream: `${snapshot}/stream?apiKey=${secret}` }
  }
  return { port: Number(new URL(configUrl).port), addSite }
}

/** Opens a stream, and again after each refusal or end, until `until` says that it is over. */
async function keepOpen(
  { port, path, address }: { port: number; path: string; address: string },
  isOver: () => boolean,
  onOpen: () => void = () => {},
): Promise<CrowdStream | undefined> {
  while (!isOver()) {
    const stream = openCrowdStream(port, path, address)
    opened.add(stream)
    const waitSeconds = await stream.begun
    if (waitSeconds === 0) {
      onOpen()
      return stream
    }
    opened.delete(stream)
    await delay(waitSeconds * 1000)
  }
  return undefined
}

/** Lets ten thousand clients come, two in a millisecond, and returns how many have a stream after `limitMs`, and when. */
async function comeBack({ port, path, limitMs }: { port: number; path: string; limitMs: number }) {
  const from = performance.now()
  let back = 0
  const isOver = () => performance.now() - from > limitMs
  const clients = Array.from({ length: stormClients }, async (_, at) => {
    await delay(Math.floor(at / 2))
    await keepOpen({ port, path, address: loopbackAddress(3, at) }, isOver, () => (back += 1))
  })
  await Promise.all(clients)
  return { back, tookMs: performance.now() - from }
}

describe('a crowd', () => {
  it('of ten thousand clients that come back at once is back within twenty seconds', async () => {
    const { port, addSite } = await open()
    const { stream: path } = await addSite('Shop')
    const { back, tookMs } = await comeBack({ port, path, limitMs: stormMs })
    console.log(`crowds: ${back} clients are back after ${Math.round(tookMs)} ms`)
    expect(back).toBe(stormClients)
    expect(tookMs).toBeLessThan(stormMs)
  })

  it('control: is not back when a node opens a hundred streams a second', async () => {
    const { port, addSite } = await open({ SIGNALBOX_RATE_LIMITS: 'streamOpen=100/200' })
    const { stream: path } = await addSite('Shop')
    expect((await comeBack({ port, path, limitMs: 5_000 })).back).toBeLessThan(2_000)
  })

  it('with the public key of a site leaves its visitors and other sites their streams and reads', async () => {
    const { port, addSite } = await open({ SIGNALBOX_CAPACITY: 'streams=2000' })
    const [shop, other] = [await addSite('Shop'), await addSite('Other')]
    let isOver = false
    const attack = Array.from({ length: attackerAddresses }, (_, at) =>
      attackFrom(loopbackAddress(1, at), { port, path: shop.stream }, () => isOver),
    )
    await expect.poll(() => countOpen(opened), { timeout: 20_000 }).toBeGreaterThan(1_500)
    const flood = Array.from({ length: 60 }, (_, at) =>
      readFrom(loopbackAddress(1, at), { port, path: shop.read }, () => isOver),
    )
    const streams = Array.from({ length: visitors }, (_, at) => {
      const { stream: path } = at % 2 === 0 ? shop : other
      return keepOpen({ port, path, address: loopbackAddress(2, at) }, () => isOver)
    })
    const reads = Array.from({ length: visitors }, async (_, at) => {
      await delay(at * 40)
      const { read: path } = at % 2 === 0 ? shop : other
      return readOnce({ port, path, address: loopbackAddress(2, at) })
    })
    const statuses = await Promise.all(reads)
    isOver = true
    const held = (await Promise.all(streams)).filter((stream) => stream?.isOpen() === true)
    const answered = statuses.filter((status) => status === 200)
    await Promise.all([...attack, ...flood])
    console.log(`crowds: ${held.length} streams and ${answered.length} reads of ${visitors}`)
    expect(held.length).toBeGreaterThanOrEqual(visitors * 0.7)
    expect(answered.length).toBeGreaterThanOrEqual(visitors * 0.95)
  })
})

const countOpen = (streams: Iterable<CrowdStream>) =>
  [...streams].filter((stream) => stream.isOpen()).length

/** Holds twenty streams of an address, and opens each anew that ends, without regard for what it was told. */
async function attackFrom(
  address: string,
  { port, path }: { port: number; path: string },
  isOver: () => boolean,
): Promise<void> {
  const own: CrowdStream[] = []
  while (!isOver()) {
    for (let at = 0; at < 20 && !isOver(); at += 1) {
      if (own[at]?.isOpen() ?? false) continue
      const stream = openCrowdStream(port, path, address)
      opened.add(stream)
      if ((await stream.begun) === 0) own[at] = stream
      else opened.delete(stream)
    }
    await delay(500)
  }
}

interface Reading {
  readonly port: number
  readonly path: string
  readonly address: string
}

function readOnce({ port, path, address }: Reading, agent?: Agent): Promise<number> {
  return new Promise((resolve) => {
    const place = { port, host: '127.0.0.1', localAddress: address, path, ...(agent && { agent }) }
    const sent = request(place, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', () => resolve(0))
    sent.end()
  })
}

/** Reads without a pause on one connection. */
async function readFrom(
  address: string,
  { port, path }: { port: number; path: string },
  isOver: () => boolean,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  while (!isOver()) await readOnce({ port, path, address }, agent)
  agent.destroy()
}
