// P1b: what a second process adds to the reads of a delivery, beside what it adds to a bare server, in one run.
import { join } from 'node:path'
import { startService, type ServiceProcess } from '../e2e/start-service.ts'
import { listFamily, residentMiB, startChild, type Child } from './child.ts'
import { compete, measureProcesses, medians, ratios, renderRatio } from './compete.ts'
import { runLoad } from './load.ts'
import { benchSettings, openOwnPostgres } from './own-postgres.ts'
import { recordResult } from './record.ts'
import { createSnapshot } from './snapshot-of-50-keys.ts'

const rounds = Number(process.argv[2] ?? 9)
const seconds = Number(process.argv[3] ?? 1)
const connections = 32

/** Limits as usual, so wide that nobody is refused: the processes count, and tell each other. */
const rateLimits = 'delivery=200000/400000,deliveryNode=200000/400000'

const database = await openOwnPostgres()
const started: ServiceProcess[] = []
const bare: Child[] = []

async function start(roles: string, settings: Readonly<Record<string, string>>) {
  const service = await startService({
    entry: 'built',
    env: {
      ...benchSettings,
      DATABASE_URL: database.url,
      SIGNALBOX_DATA_DIR: join(database.directory, `node-${started.length}`),
      SIGNALBOX_ROLES: roles,
      SIGNALBOX_RATE_LIMITS: rateLimits,
      ...settings,
    },
  })
  started.push(service)
  return service
}

interface Contestant {
  readonly port: number
  readonly pids: readonly number[]
}

async function startDelivery(processes: number): Promise<Contestant> {
  const service = await start('delivery', { SIGNALBOX_DELIVERY_PROCESSES: String(processes) })
  return { port: Number(new URL(service.configUrl).port), pids: [service.pid] }
}

/** Starts bare servers on one port, which answer with the same bytes. */
async function startBare(
  processes: number,
  answer: { readonly body: string; readonly etag: string; readonly tokens: readonly string[] },
): Promise<Contestant> {
  let port = 0
  const pids: number[] = []
  for (let at = 0; at < processes; at += 1) {
    const child = startChild('bare-server.ts', {
      core: undefined,
      input: JSON.stringify({ ...answer, sharedPort: port }),
    })
    bare.push(child)
    ;({ port } = await child.next<{ port: number }>())
    pids.push(child.pid)
  }
  return { port, pids }
}

function memoryOf({ pids }: Contestant): readonly number[] {
  return pids.flatMap(listFamily).map((pid) => Math.round(residentMiB(pid)))
}

async function measure(): Promise<void> {
  const { apiUrl } = await start('api,worker', {})
  const { path, browserKey: token } = await createSnapshot(apiUrl)
  const headers = { Authorization: `Bearer ${token}` }
  const one = await startDelivery(1)
  const two = await startDelivery(2)
  const answer = await fetch(`http://127.0.0.1:${one.port}${path}`, { headers })
  const served = {
    body: await answer.text(),
    etag: answer.headers.get('etag') ?? '',
    tokens: [token],
  }
  const bareOne = await startBare(1, served)
  const bareTwo = await startBare(2, served)
  const load = ({ port, pids }: Contestant) =>
    measureProcesses(pids, () =>
      runLoad({ port, requests: [{ path, headers }], connections, seconds, core: undefined }),
    )
  const results = await compete(rounds, {
    bareOne: () => load(bareOne),
    one: () => load(one),
    bareTwo: () => load(bareTwo),
    two: () => load(two),
  })
  const gain = ratios(results.two, results.one)
  const gainOfBare = ratios(results.bareTwo, results.bareOne)
  const besideBare = ratios(results.two, results.bareTwo)
  const ofGain = Math.round((gain.requestsPerSecond / gainOfBare.requestsPerSecond) * 1_000) / 1_000
  recordResult({
    figure: 'P1b',
    what: 'A browser snapshot of 50 keys from two processes that share a port and their limits, 32 connections, two cores with the load generator on them',
    reach:
      '>= 0.9 of what a second process adds to a bare server, and >= 0.9 of its answers per processor second of one process',
    found: `${gain.requestsPerSecond} times one process, a bare server ${gainOfBare.requestsPerSecond} times: ${ofGain}; ${gain.answersPerCpuSecond} of the answers per processor second; ${renderRatio(besideBare)} of two bare servers`,
    reached: ofGain >= 0.9 && gain.answersPerCpuSecond >= 0.9,
    measured: {
      setup: { pinned: false, connections, rounds, seconds },
      bodyBytes: Buffer.byteLength(served.body),
      gain,
      gainOfBare,
      besideBare,
      residentMiB: { one: memoryOf(one), two: memoryOf(two) },
      medians: medians(results),
      rounds: results,
    },
    remark:
      'The load generator needs part of the two cores, so two processes can’t have both whole; what a second one adds is compared with what it adds to a bare node:http server.',
  })
}

try {
  await measure()
} finally {
  await Promise.all([...started.map((each) => each.stop()), ...bare.map((each) => each.stop())])
  await database.close()
}
