import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'node:http'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { createClient } from '../testing/http.ts'
import { createMaker } from '../testing/organization.ts'
import { openProofService } from '../testing/proof-service.ts'
import { loopbackAddress, openCrowdStream, type CrowdStream } from '../testing/stream-crowd.ts'

/** Lists what a node has to bear with its default limits. */
const stormClients = 10_000
/** Allows the promised twenty seconds, and what a busy machine adds. A hundred streams a second would take a hundred. */
const stormMs = 60_000
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

/** Opens a stream, and again after each rejection or end, until `until` says that it is over. */
async function keepOpen(
  { port, path, address }: Place,
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

/** Leaves the controls to the night: they take a service each, and nothing runs beside them. */
const isLong = inject('scale') > 1

describe('a crowd', () => {
  it('of ten thousand clients that come back at once is back in seconds', async () => {
    const { port, addSite } = await open()
    const { stream: path } = await addSite('Shop')
    const { back, tookMs } = await comeBack({ port, path, limitMs: stormMs })
    console.log(`crowds: ${back} clients are back after ${Math.round(tookMs)} ms`)
    expect(back).toBe(stormClients)
    expect(tookMs).toBeLessThan(stormMs)
  })

  it.runIf(isLong)(
    'control: is not back when a node opens a hundred streams a second',
    async () => {
      const { port, addSite } = await open({ SIGNALBOX_RATE_LIMITS: 'streamOpen=100/200' })
      const { stream: path } = await addSite('Shop')
      expect((await comeBack({ port, path, limitMs: 5_000 })).back).toBeLessThan(2_000)
    },
  )

  it('with the public key of a site leaves its visitors and other sites their streams and reads', async () => {
    const { streams, reads, attackerReads, seconds } = await attack(shortNode)
    expect(streams).toBeGreaterThanOrEqual(visitors * 0.7)
    expect(reads).toBeGreaterThanOrEqual(visitors * 0.95)
    // The node is short, and stays within its rate: the attack asks for far more.
    expect(attackerReads.answered).toBeLessThan(2_000 + 200 * seconds)
    expect(attackerReads.refused).toBeGreaterThan(attackerReads.answered)
  })

  it.runIf(isLong)(
    'control: has the reads of the visitors when who asks much is served as who asks seldom',
    async () => {
      const { reads } = await attack(`${shortNode},deliveryShort=1000000/1000000`)
      expect(reads).toBeLessThan(visitors * 0.7)
    },
  )
})

/**
 * The rates of a node that is much smaller than the attack, with allowances of an address that suffice for it as the
 * default ones do for a node of the default size.
 */
const shortNode = 'deliveryNode=200/2000,deliveryShort=0.2/5'

/**
 * Attacks from 500 addresses with the public key of a site, which hold streams and read ten times as much as the node
 * has. 200 visitors of the site and of another one come once the node is full of streams and short of reads. Returns what
 * they have of both.
 */
async function attack(rateLimits: string) {
  const { port, addSite } = await open({
    SIGNALBOX_RATE_LIMITS: rateLimits,
    SIGNALBOX_CAPACITY: 'streams=1000',
  })
  const [shop, other] = [await addSite('Shop'), await addSite('Other')]
  const from = performance.now()
  let isOver = false
  const isPast = () => isOver
  const attackerReads = { answered: 0, refused: 0 }
  const attackers = Array.from({ length: attackerAddresses }, (_, at) =>
    holdFrom({ port, path: shop.stream, address: loopbackAddress(1, at) }, isPast),
  )
  await expect.poll(() => countOpen(opened)).toBeGreaterThan(900)
  for (let at = 0; at < attackerAddresses; at += 1) {
    const place = { port, path: shop.read, address: loopbackAddress(1, at) }
    attackers.push(readFrom(place, isPast, attackerReads))
  }
  await expect.poll(() => attackerReads.refused).toBeGreaterThan(500)
  const streams = Array.from({ length: visitors }, async (_, at) => {
    await delay(at * 15)
    const { stream: path } = at % 2 === 0 ? shop : other
    return keepOpen({ port, path, address: loopbackAddress(2, at) }, isPast)
  })
  const reads = Array.from({ length: visitors }, async (_, at) => {
    await delay(at * 15)
    const { read: path } = at % 2 === 0 ? shop : other
    return readOnce({ port, path, address: loopbackAddress(2, at) })
  })
  const statuses = await Promise.all(reads)
  isOver = true
  const seconds = (performance.now() - from) / 1000
  const held = (await Promise.all(streams)).filter((stream) => stream?.isOpen() === true).length
  const answered = statuses.filter((status) => status === 200).length
  await Promise.all(attackers)
  console.log(
    `crowds: ${held} streams and ${answered} reads of ${visitors}, after ${seconds.toFixed(1)} s; of the attack ${JSON.stringify(attackerReads)} reads`,
  )
  return { streams: held, reads: answered, attackerReads, seconds }
}

const countOpen = (streams: Iterable<CrowdStream>) =>
  [...streams].filter((stream) => stream.isOpen()).length

interface Place {
  readonly port: number
  readonly path: string
  readonly address: string
}

interface Outcomes {
  answered: number
  refused: number
}

/** Holds twenty streams of an address, and opens each anew that ends, without regard for what it was told. */
async function holdFrom({ port, path, address }: Place, isOver: () => boolean): Promise<void> {
  const own: CrowdStream[] = []
  while (!isOver()) {
    for (let at = 0, isRefused = false; at < 20 && !isRefused && !isOver(); at += 1) {
      if (own[at]?.isOpen() ?? false) continue
      const stream = openCrowdStream(port, path, address)
      opened.add(stream)
      isRefused = (await stream.begun) > 0
      if (isRefused) opened.delete(stream)
      else own[at] = stream
    }
    await delay(500)
  }
}

function readOnce({ port, path, address }: Place, agent?: Agent): Promise<number> {
  return new Promise((resolve) => {
    const place = { port, host: '127.0.0.1', localAddress: address, path, ...(agent && { agent }) }
    const sent = request(place, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', () => resolve(0))
    sent.end()
  })
}

/** Reads four times a second on one connection, without regard for what it was told. */
async function readFrom(place: Place, isOver: () => boolean, outcomes: Outcomes): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  while (!isOver()) {
    outcomes[(await readOnce(place, agent)) === 200 ? 'answered' : 'refused'] += 1
    await delay(250)
  }
  agent.destroy()
}
