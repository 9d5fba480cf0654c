import { readdir, readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { bearer, createClient, type Ask } from '../testing/http.ts'
import { createMaker } from '../testing/organization.ts'
import { openProofService, until, type OpenProofService } from '../testing/proof-service.ts'
import { loopbackAddress, openCrowdStream } from '../testing/stream-crowd.ts'
import { createWebhookSender, sampleStatus } from '../testing/webhooks/webhook-sender.ts'

/** Connections at each listener, half of them silent and half with the beginning of a request. */
const connectionsEach = 1_500
const webhooks = 800
const webhookBytes = 1024 * 1024
const headersMs = 10_000
const requestMs = 30_000
const leaveMs = 2_000
const growthMax = 300 * 1024 * 1024

const sender = createWebhookSender()
const sockets: Socket[] = []
const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const close of closing.splice(0).toReversed()) await close()
})

async function open(
  env: Readonly<Record<string, string>> = {},
  descriptors?: OpenProofService['descriptors'],
) {
  // Empty: the limits that apply by default.
  const service = await openProofService({
    env: { ...sender.env, SIGNALBOX_RATE_LIMITS: '', ...env },
    descriptors,
  })
  closing.push(() => service.close())
  const { apiUrl, configUrl, pid } = service.current()
  const api = createClient(apiUrl)
  const delivery = createClient(configUrl)
  closing.push(
    () => api.close(),
    () => delivery.close(),
  )
  const maker = createMaker(api, service.bootstrapToken)
  const { id: orgId } = await maker.organization('Acme')
  const { id: environmentId } = await maker.environment(orgId, { name: 'live' })
  const schema = { theme: { type: 'string', tier: 'public' } }
  const { id: schemaId } = await maker.schema(orgId, { name: 'web', schema })
  const target = { schemaId, environmentId, values: { theme: 'dark' } }
  await maker.call(`PUT /organizations/${orgId}/config-values`, target)
  const { secret } = await maker.key(orgId, { name: 'web', kind: 'b2m' })
  const snapshot = `/snapshots/${schemaId}/${environmentId}`
  const path = `${snapshot}?apiKey=${secret}`
  const stream = `${snapshot}/stream?apiKey=${secret}`
  const body = sampleStatus(7)
  /** One honest request of each kind, each on a connection of its own; the statuses, 0 for none. */
  const askHonestly = async () => {
    const { bootstrapToken } = service
    const get = (at: string, headers = {}) => ({ method: 'GET', path: at, headers })
    const webhook = { method: 'POST', path: '/webhooks/codehost', bytes: body }
    const answers = await Promise.allSettled([
      delivery.send(inNewConnection(get(path))),
      api.send(inNewConnection(get('/me', bearer(bootstrapToken)))),
      api.send(inNewConnection({ ...webhook, headers: sender.headersOf(body) })),
    ])
    return answers.map((each) => (each.status === 'fulfilled' ? each.value.status : 0))
  }
  await until(async () => (await askHonestly()).join() === '200,200,202', 'a working service')
  return { service, pid, stream, askHonestly, ports: [portOf(apiUrl), portOf(configUrl)] as const }
}

/** The client closes it with the answer, and so has none that it could use again. */
const inNewConnection = (ask: Ask): Ask => ({
  ...ask,
  headers: { ...ask.headers, connection: 'close' },
})

const portOf = (url: string) => Number(new URL(url).port)

/** Opens a connection from one of a few addresses, and sends the beginning of something on it. Its end stays open. */
function begin(port: number, at: number, ...bytes: (string | Buffer)[]): Socket {
  const localAddress = `127.0.0.${2 + (at % 8)}`
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  sockets.push(socket)
  socket.on('error', () => {}).resume()
  for (const each of bytes) socket.write(each)
  return socket
}

const webhookHead = (length: number) =>
  'POST /webhooks/codehost HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
  'X-GitHub-Event: push\r\nX-GitHub-Delivery: 6a7d0a3e-0000-4000-8000-000000000000\r\n' +
  `X-Hub-Signature-256: sha256=${'0'.repeat(64)}\r\nContent-Length: ${length}\r\n\r\n`

/** Sends webhooks with a false signature, all but the last byte of each. Resolves when the last one has begun. */
function sendUnsigned(port: number): Promise<void> {
  const body = Buffer.alloc(webhookBytes - 1, 'a')
  return haveBegun(
    Array.from({ length: webhooks }, (_, at) => begin(port, at, webhookHead(webhookBytes), body)),
  )
}

/** Opens connections at each port: every other one silent, every other one with the beginning of a request. */
function fallSilent(ports: readonly number[]): Promise<void> {
  return haveBegun(
    ports.flatMap((port) =>
      Array.from({ length: connectionsEach }, (_, at) =>
        begin(port, at, ...(at % 2 === 0 ? ['GET / HTTP/1.1\r\nHost: x\r\n'] : [])),
      ),
    ),
  )
}

/** Resolves when each connection is open, or closed again. */
async function haveBegun(all: readonly Socket[]): Promise<void> {
  await Promise.all(
    all.map(
      (socket) =>
        new Promise((resolve) => void socket.once('connect', resolve).once('close', resolve)),
    ),
  )
}

const rssOf = async (pid: number) =>
  Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]) * 4096
const descriptorsOf = async (pid: number) => (await readdir(`/proc/${pid}/fd`)).length

interface Watch {
  /** Resolves when the last connection of the attack has begun. */
  readonly begun: Promise<void>
  /** Says for how long to look on from then. */
  readonly untilMs: number
  readonly rss: number
}

/** Looks at the service during an attack: its answers to honest requests, and by how much it has grown. */
async function watch(
  { pid, askHonestly }: Awaited<ReturnType<typeof open>>,
  { begun, untilMs, rss }: Watch,
) {
  let overAt = Number.POSITIVE_INFINITY
  void begun.then(() => (overAt = performance.now() + untilMs))
  const refused: string[] = []
  let asked = 0
  let slowestMs = 0
  let growth = 0
  while (performance.now() < overAt) {
    const askedAt = performance.now()
    const statuses = (await askHonestly()).join()
    slowestMs = Math.max(slowestMs, performance.now() - askedAt)
    asked += 1
    if (statuses !== '200,200,202') refused.push(statuses)
    growth = Math.max(growth, (await rssOf(pid)) - rss)
    await delay(200)
  }
  return { asked, refused, slowestMs, growth }
}

describe('strangers without a credential', () => {
  it('keep nobody out and fill nothing with silence, halves of requests and unsigned bodies', async () => {
    const world = await open()
    const { pid, ports } = world
    const [api] = ports
    const idle = await descriptorsOf(pid)
    const rss = await rssOf(pid)
    const begun = fallSilent(ports)
    await until(async () => (await descriptorsOf(pid)) > idle + connectionsEach, 'the connections')
    const silence = await watch(world, { begun, rss, untilMs: headersMs + leaveMs + 1_000 })
    await expect.poll(() => descriptorsOf(pid)).toBeLessThan(idle + 50)
    for (let at = 0; at < 8; at += 1) begin(api, at, webhookHead(2 * webhookBytes), 'a')
    const rssBefore = await rssOf(pid)
    const untilMs = requestMs + leaveMs + 1_000
    const bodies = await watch(world, { begun: sendUnsigned(api), rss: rssBefore, untilMs })
    await expect.poll(() => descriptorsOf(pid)).toBeLessThan(idle + 50)
    for (const { asked, refused, slowestMs, growth } of [silence, bodies]) {
      console.log(
        `strangers: ${asked} rounds, slowest ${Math.round(slowestMs)} ms, grew by ${Math.round(growth / 1e6)} MB`,
      )
      expect(refused).toEqual([])
      expect(growth).toBeLessThan(growthMax)
    }
  })

  it('take no descriptor that a listener needs, when a process may open only 1,024', async () => {
    const world = await open({}, 1_024)
    const { pid, ports } = world
    const idle = await descriptorsOf(pid)
    const rss = await rssOf(pid)
    // Everybody holds the public key of the site, so a stranger can take all the streams there are.
    const streams = Array.from({ length: 800 }, (_, at) =>
      openCrowdStream(ports[1], world.stream, loopbackAddress(3, at)),
    )
    sockets.push(...streams.map(({ socket }) => socket))
    await Promise.all(streams.map(({ begun }) => begun))
    const begun = fallSilent(ports)
    await until(async () => (await descriptorsOf(pid)) > 800, 'the connections')
    const untilMs = headersMs + leaveMs
    const { asked, refused, slowestMs } = await watch(world, { begun, rss, untilMs })
    const held = streams.filter((stream) => stream.isOpen()).length
    console.log(
      `strangers: ${asked} rounds on 1,024 descriptors beside ${held} streams, slowest ${Math.round(slowestMs)} ms`,
    )
    expect(refused).toEqual([])
    expect(held).toBeGreaterThan(500)
    await expect.poll(() => descriptorsOf(pid)).toBeLessThan(idle + held + 50)
  })

  it.runIf(inject('scale') > 1)(
    'control: the same bodies fill a service that has room for all of them',
    async () => {
      const world = await open({ SIGNALBOX_CAPACITY: 'bodyMiB=4096,bodyMiBPerAddress=4096' })
      const rss = await rssOf(world.pid)
      const begun = sendUnsigned(world.ports[0])
      const { growth } = await watch(world, { begun, rss, untilMs: 8_000 })
      expect(growth).toBeGreaterThan(growthMax)
    },
  )
})
