import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startService } from '../e2e/start-service.ts'
import { hasTaskset, startChild, type Child } from './child.ts'
import {
  compete,
  measureProcesses,
  medians,
  ratios,
  reach,
  renderRatio,
  type Measured,
} from './compete.ts'
import { runLoad, type LoadRequest } from './load.ts'
import { benchSettings } from './own-postgres.ts'
import { recordResult } from './record.ts'
import { createSnapshot } from './snapshot-of-50-keys.ts'

/**
 * P1 and P2: reads of browser snapshots on one core, side by side with their yardsticks in rounds, because a machine
 * shared with others is fast and slow by turns. The median of the rounds' ratios counts.
 *
 *     node --conditions=@signalbox/source bench/delivery-read.ts [rounds] [seconds] [P1|P2]
 */
const rounds = Number(process.argv[2] ?? 11)
const seconds = Number(process.argv[3] ?? 1)
const only = process.argv[4]
const connections = 32
const serverCore = 0
const loadCore = 1
/** Counts as the limits usually do, and refuses nobody. */
const wideLimits = 'delivery=200000/400000,deliveryNode=200000/400000'

interface Started {
  readonly port: number
  readonly paths: string[]
  readonly tokens: string[]
  readonly etag: string
  readonly etags: string[]
  readonly body: string
}

interface Sized {
  readonly keys: number
  readonly snapshots: number
  readonly valuesPerSnapshot: number
  readonly valueBytes: number
}

async function startDelivery(size: Sized): Promise<Started & { child: Child; pid: number }> {
  const child = startChild('delivery-server.ts', { core: serverCore, args: [JSON.stringify(size)] })
  return { child, pid: child.pid, ...(await child.next<Started>()) }
}

type Requests = readonly LoadRequest[]

function load(
  { port, pid }: { readonly port: number; readonly pid: number },
  requests: Requests,
): Promise<Measured> {
  return measureProcesses([pid], () =>
    runLoad({ port, requests, connections, seconds, core: loadCore }),
  )
}

/** Starts the service as `npm start` does, with a database of its own, on one core. */
async function startWhole(directory: string, rateLimits: string) {
  const { SIGNALBOX_RATE_LIMITS: _, ...settings } = benchSettings
  const service = await startService({
    entry: 'built',
    host: hasTaskset ? ['taskset', '-c', String(serverCore)] : [],
    env: {
      ...settings,
      SIGNALBOX_DATA_DIR: directory,
      SIGNALBOX_RATE_LIMITS: rateLimits,
    },
  })
  const { path, browserKey } = await createSnapshot(service.apiUrl)
  const headers = { Authorization: `Bearer ${browserKey}` }
  // The load requests no coding, and holds what it has read.
  const first = { headers: { ...headers, 'Accept-Encoding': 'identity' } }
  const answer = await fetch(service.configUrl + path, first)
  const etag = answer.headers.get('etag') ?? ''
  const held = { ...headers, 'If-None-Match': etag }
  const at = { pid: service.pid, port: Number(new URL(service.configUrl).port) }
  const of = (from: typeof at) => ({
    read: () => load(from, [{ path, headers }]),
    revalidate: () => load(from, [{ path, headers: held }]),
  })
  const served = { body: await answer.text(), etag, tokens: [browserKey] }
  return { service, of, at, served }
}

async function measureP1(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
  await chmod(directory, 0o711)
  const free = await startWhole(join(directory, 'free'), 'off')
  const limited = await startWhole(join(directory, 'limited'), wideLimits)
  const bare = startChild('bare-server.ts', {
    core: serverCore,
    input: JSON.stringify(free.served),
  })
  try {
    const yardstick = free.of({ pid: bare.pid, ...(await bare.next<{ port: number }>()) })
    const results = await compete(rounds, {
      bare200: yardstick.read,
      free200: free.of(free.at).read,
      limited200: limited.of(limited.at).read,
      bare304: yardstick.revalidate,
      free304: free.of(free.at).revalidate,
    })
    const ratio200 = ratios(results.free200, results.bare200)
    const ratio304 = ratios(results.free304, results.bare304)
    const ratioLimited = ratios(results.limited200, results.bare200)
    const isQuick = ratio200.p99 <= 1.2 && ratio304.p99 <= 1.2
    recordResult({
      figure: 'P1',
      what: 'A browser snapshot of 50 keys from the service as npm start runs it, against a bare node:http server, one core, 32 connections',
      reach:
        '>= 0.92 (200) and 0.95 (304) of its requests/s and of its answers per processor second, p99 <= 1.2x; with limits >= 0.85',
      found: `200: ${renderRatio(ratio200)}, p99 ${ratio200.p99}x; 304: ${renderRatio(ratio304)}, p99 ${ratio304.p99}x; with limits ${renderRatio(ratioLimited)}`,
      reached:
        reach(0.92, ratio200) && reach(0.95, ratio304) && reach(0.85, ratioLimited) && isQuick,
      measured: {
        setup: setup(),
        bodyBytes: Buffer.byteLength(free.served.body),
        ratio200,
        ratio304,
        ratioLimited,
        medians: medians(results),
        rounds: results,
      },
    })
  } finally {
    await Promise.all([free.service.stop(), limited.service.stop(), bare.stop()])
    await rm(directory, { recursive: true, force: true })
  }
}

async function measureP2(): Promise<void> {
  const snapshots = 1_000
  const size = { keys: 100_000, valuesPerSnapshot: 100, valueBytes: 980 }
  const many = await startDelivery({ snapshots, ...size })
  const one = await startDelivery({ snapshots: 1, ...size })
  const { body, etag, tokens } = one
  const bare = startChild('bare-server.ts', {
    core: serverCore,
    input: JSON.stringify({ body, etag, tokens: tokens.slice(0, snapshots), copies: snapshots }),
  })
  try {
    const bareServer = { pid: bare.pid, ...(await bare.next<{ port: number }>()) }
    const gzip = { 'Accept-Encoding': 'gzip' }
    const of = (started: Started, more?: Record<string, string>) =>
      requestsOf(started, snapshots, more)
    const bareRequests = of(one).map((each, index) => ({ ...each, path: `/${index}` }))
    // Each is compressed when it is first read.
    const compressed = {
      requests: of(many, gzip),
      connections,
      seconds,
      core: loadCore,
      isOnce: true,
    }
    await runLoad({ port: many.port, ...compressed })
    const held = of(many).map((each, index) => ({
      ...each,
      headers: { ...each.headers, 'If-None-Match': many.etags[index] ?? '' },
    }))
    const results = await compete(rounds, {
      one304: () => load(one, of(one, { 'If-None-Match': etag })),
      many304: () => load(many, held),
      oneGzip: () => load(one, of(one, gzip)),
      manyGzip: () => load(many, of(many, gzip)),
      onePlain: () => load(one, of(one)),
      manyPlain: () => load(many, of(many)),
      bareOnePlain: () => load(bareServer, bareRequests.slice(0, 1)),
      bareManyPlain: () => load(bareServer, bareRequests),
    })
    const ratio304 = ratios(results.many304, results.one304)
    const ratioGzip = ratios(results.manyGzip, results.oneGzip)
    recordResult({
      figure: 'P2',
      what: '100,000 keys known; 1,000 keys read one snapshot of 100 kB each, against all of them reading the same one',
      reach: '>= 0.9 of its requests/s and of its answers per processor second',
      found: `304: ${renderRatio(ratio304)}; gzip: ${renderRatio(ratioGzip)}`,
      reached: reach(0.9, ratio304) && reach(0.9, ratioGzip),
      measured: {
        setup: setup(),
        bodyBytes: Buffer.byteLength(body),
        gzipBytes: gzipSync(body).length,
        ratio304,
        ratioGzip,
        ratioPlain: ratios(results.manyPlain, results.onePlain),
        ratioPlainOfBareServer: ratios(results.bareManyPlain, results.bareOnePlain),
        medians: medians(results),
        rounds: results,
      },
      remark:
        'What different bodies cost is the time to bring them from memory, which a bare node:http server with 1,000 bodies loses as well (ratioPlainOfBareServer).',
    })
  } finally {
    await Promise.all([many.child.stop(), one.child.stop(), bare.stop()])
  }
}

/** The first `count` keys, each with one of the snapshots. */
function requestsOf(
  { paths, tokens }: Started,
  count: number,
  more: Record<string, string> = {},
): Requests {
  return tokens.slice(0, count).map((token, index) => ({
    path: paths[index % paths.length] ?? '',
    headers: { Authorization: `Bearer ${token}`, ...more },
  }))
}

function setup() {
  return { pinned: hasTaskset, connections, rounds, seconds }
}

if (only !== 'P2') await measureP1()
if (only !== 'P1') await measureP2()
