import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type ServiceProcess } from '../../e2e/start-service.ts'
import {
  openStream,
  type OpenedStream,
} from '../../packages/server/src/delivery/testing/http-client.ts'
import { createMaker } from '../testing/organization.ts'
import { bearer, createClient } from '../testing/http.ts'
import { openService, type OpenService } from '../testing/open-service.ts'
import { countSockets, isGone, listChildren } from '../testing/balanced/processes.ts'
import { until } from '../testing/proof-service.ts'

const processes = 2
/** No allowance comes back while a test runs. */
const readsMost = 400
const streamsMost = 40
/** The guide promises it. */
const olderMsMost = 2_000

let directory: string
let api: OpenService
let delivery: ServiceProcess
let port: number
let snapshot: string
let metricsUrl: string
let addKey: () => Promise<string>
let setTheme: (theme: string) => Promise<void>

const startDelivery = (env: Readonly<Record<string, string>> = {}) =>
  startService({
    env: {
      DATABASE_URL: api.database.databaseUrl,
      SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
      SIGNALBOX_DATA_DIR: join(directory, 'delivery'),
      SIGNALBOX_ROLES: 'delivery',
      SIGNALBOX_DELIVERY_PROCESSES: String(processes),
      SIGNALBOX_METRICS_PORT: '0',
      SIGNALBOX_RATE_LIMITS: `delivery=0.001/${readsMost}`,
      SIGNALBOX_CAPACITY: `streamsPerAddress=${streamsMost}`,
      ...env,
    },
  })

const children = () => listChildren(delivery.pid)

/** Reads the snapshot, on a connection of its own unless an agent keeps some. Returns the status, or 0 without an answer. */
function read(headers: Readonly<Record<string, string>>, agent: Agent | false = false) {
  return new Promise<{ status: number; etag: string }>((resolve) => {
    const sent = get({ host: '127.0.0.1', port, path: snapshot, headers, agent }, (answer) => {
      answer
        .resume()
        .once('end', () =>
          resolve({ status: answer.statusCode ?? 0, etag: answer.headers.etag ?? '' }),
        )
      answer.once('error', () => resolve({ status: 0, etag: '' }))
    })
    sent.once('error', () => resolve({ status: 0, etag: '' }))
  })
}

/** Reads `count` times over 16 connections, and returns how often it was served. */
async function readMany(key: string, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const answers = await Promise.all(Array.from({ length: count }, () => read(bearer(key), agent)))
  agent.destroy()
  return answers.filter(({ status }) => status === 200).length
}

/** Reads over new connections until both processes have what is new, and returns for how long an older version was shown beside it. */
async function measureOlder(readEtag: () => Promise<string>, before: string): Promise<number> {
  let firstNewAt = Infinity
  let lastOldAt = 0
  for (let news = 0; news < 24 && lastOldAt - firstNewAt < olderMsMost;) {
    const isOld = (await readEtag()) === before
    const now = performance.now()
    if (isOld) lastOldAt = now
    else firstNewAt = Math.min(firstNewAt, now)
    news = isOld ? 0 : news + 1
  }
  return Math.max(0, lastOldAt - firstNewAt)
}

async function openStreams(key: string, count: number): Promise<OpenedStream[]> {
  const streams: OpenedStream[] = []
  for (let at = 0; at < count; at += 1)
    streams.push(await openStream(port, `${snapshot}/stream`, bearer(key)))
  return streams
}

async function readMetric(pattern: RegExp): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text()
  return Number(pattern.exec(text)?.[1] ?? 0)
}
const servedReads = /^signalbox_delivery_answers_total\{route="snapshot",status="200"\} (\d+)/m

async function readReadiness() {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  return { status: answer.status, body: (await answer.json()) as { streams: number } }
}

/** Waits until each process says that the node has so many streams: one of them answers, whichever takes the connection. */
async function untilAllCount(streams: number): Promise<void> {
  for (let asked = 0; asked < 8; asked += 1) {
    await expect.poll(async () => (await readReadiness()).body.streams).toBe(streams)
  }
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-processes-'))
  api = await openService()
  const client = createClient(api.apiUrl)
  const maker = createMaker(client, api.bootstrapToken)
  const { id: orgId } = await maker.organization('Processes')
  const { id: environmentId } = await maker.environment(orgId, { name: 'production' })
  const theme = { type: 'string', tier: 'public', default: 'dark' }
  const { id: schemaId } = await maker.schema(orgId, { name: 'web', schema: { theme } })
  addKey = async () => (await maker.key(orgId, { name: 'web', kind: 'b2m' })).secret
  setTheme = (theme) =>
    maker.call(`PUT /organizations/${orgId}/config-values`, {
      schemaId,
      environmentId,
      values: { theme },
    })
  snapshot = `/snapshots/${schemaId}/${environmentId}`
  delivery = await startDelivery()
  port = Number(new URL(delivery.configUrl).port)
  metricsUrl = /"metricsUrl":"([^"]+)"/.exec(delivery.output())?.[1] ?? ''
})

afterAll(async () => {
  await delivery?.kill()
  await api?.remove()
  await rm(directory, { recursive: true, force: true })
})

describe('a delivery in two processes', () => {
  it('serves with both, and says how many streams they have together', async () => {
    const before = await countSockets(await children())
    const streams = await openStreams(await addKey(), 24)
    const opened = [...(await countSockets(await children()))].map(
      ([pid, count]) => count - (before.get(pid) ?? 0),
    )
    expect(opened).toHaveLength(processes)
    expect(Math.min(...opened)).toBeGreaterThan(0)
    await untilAllCount(24)
    for (const stream of streams) stream.close()
    await expect.poll(async () => (await readReadiness()).body.streams).toBe(0)
  })

  it('lets a key read as often as one process would, and a sixteenth more at most', async () => {
    const served = await readMany(await addKey(), 3 * readsMost)
    console.log(`served ${served} of ${readsMost} that are allowed`)
    expect(served).toBeGreaterThanOrEqual(readsMost)
    expect(served).toBeLessThanOrEqual(readsMost * (1 + 1 / 16) + 32)
  })

  it('lets a key open as many streams as one process would', async () => {
    const key = await addKey()
    const streams = await openStreams(key, streamsMost)
    // The processes tell each other of their streams a moment later.
    await untilAllCount(streamsMost)
    const more = await openStreams(key, streamsMost)
    for (const stream of [...streams, ...more]) stream.close()
    expect(streams.filter(({ status }) => status !== 200)).toEqual([])
    expect(more.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(processes)
  })

  it('shows an older version than before for two seconds at most, and on one connection never', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => addKey()))
    let reads = 0
    const readEtag = async (from: Agent | false = false) => {
      const { status, etag } = await read(bearer(keys[(reads += 1) % keys.length] ?? ''), from)
      expect(status).toBe(200)
      return etag
    }
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const kept = [await readEtag(agent)]
    const older: number[] = []
    for (const theme of ['one', 'two', 'three', 'four', 'five']) {
      const before = kept.at(-1) ?? ''
      await setTheme(theme)
      const olderMs = await measureOlder(() => readEtag(), before)
      expect(olderMs).toBeLessThan(olderMsMost)
      older.push(olderMs)
      for (let at = 0; at < 4; at += 1) kept.push(await readEtag(agent))
    }
    agent.destroy()
    console.log(`older versions were shown for ${older.map(Math.round).join(', ')} ms`)
    expect(kept.filter((etag, at) => etag !== kept[at - 1])).toHaveLength(new Set(kept).size)
  })

  it('counts in its metrics what both have answered, and the snapshots that both have once', async () => {
    const before = await readMetric(servedReads)
    expect(await readMany(await addKey(), 200)).toBe(200)
    await expect.poll(() => readMetric(servedReads)).toBe(before + 200)
    expect(await readMetric(/^signalbox_snapshots (\d+)/m)).toBe(1)
  })

  it('replaces one that is killed, and loses only the requests that it held', async () => {
    const key = await addKey()
    const { etag } = await read(bearer(key))
    const before = await readMetric(servedReads)
    const [killed = 0, other = 0] = await children()
    const streams = await openStreams(await addKey(), 12)
    let open = streams.length
    for (const stream of streams) void stream.ended.then(() => (open -= 1))
    const outcomes = { served: 0, lost: 0, other: 0 }
    const clients = 8
    const ending = new AbortController()
    const load = Array.from({ length: clients }, async () => {
      while (!ending.signal.aborted) {
        const { status } = await read({ ...bearer(key), 'if-none-match': etag })
        outcomes[status === 304 ? 'served' : status === 0 ? 'lost' : 'other'] += 1
      }
    })
    await until(() => outcomes.served > 50, 'reads')
    process.kill(killed, 'SIGKILL')
    const isReplaced = async () => {
      const now = await children()
      return now.length === processes && !now.includes(killed) && now.includes(other)
    }
    await until(isReplaced, 'another process')
    const keepServing = async () => {
      const { served } = outcomes
      await until(() => outcomes.served > served + 200, 'more reads')
    }
    // Requests that the killed process held are counted as lost a moment after it is gone.
    await keepServing()
    const { lost } = outcomes
    await keepServing()
    ending.abort()
    await Promise.all(load)
    console.log(`killed: ${JSON.stringify(outcomes)}`)
    expect(outcomes.other).toBe(0)
    expect(outcomes.lost).toBe(lost)
    // The kernel closes what a process held one after the other. A client whose connection is closed before the port may get
    // another one that is closed with the port.
    expect(lost).toBeLessThanOrEqual(2 * clients)
    // The streams of the one that was killed count no more, and the new one knows those of the other.
    await expect.poll(async () => (await readReadiness()).body.streams - open).toBe(0)
    expect(open).toBeGreaterThan(0)
    expect(open).toBeLessThan(streams.length)
    for (const stream of streams) stream.close()
    // It serves as well, once it has its snapshots.
    const opensAtReplacement = async () => {
      const pid = (await children()).find((each) => each !== other) ?? 0
      const at = await countSockets([pid])
      const streams = await openStreams(await addKey(), 16)
      const grown = ((await countSockets([pid])).get(pid) ?? 0) - (at.get(pid) ?? 0)
      for (const stream of streams) stream.close()
      return grown > 0
    }
    // Each look takes a key, of which an organization has 100 at most.
    await expect.poll(opensAtReplacement, { interval: 1_000, timeout: 60_000 }).toBe(true)
    expect(await readMetric(servedReads)).toBeGreaterThanOrEqual(before)
  })

  it('refuses a second node on its port, which would get half of the connections', async () => {
    const second = startDelivery({
      SIGNALBOX_DATA_DIR: join(directory, 'second'),
      SIGNALBOX_DELIVERY_PORT: String(port),
    })
    await expect(second).rejects.toThrow('EADDRINUSE')
  })

  it('ends with all of its processes, whoever gets the signal', async () => {
    const group = await children()
    // As a terminal or a supervisor does that signals all of them. A rolling restart signals the parent alone.
    for (const pid of group) process.kill(pid, 'SIGTERM')
    expect(await delivery.stop()).toBe(0)
    expect(group.every(isGone)).toBe(true)
    delivery = await startDelivery()
    const orphans = await children()
    await delivery.kill()
    await until(() => orphans.every(isGone), 'the end of processes whose parent was killed')
  })
})
