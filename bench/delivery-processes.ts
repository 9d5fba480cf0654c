// P1b: what a second process adds to the reads of a delivery, beside what it adds to a bare server, in one run.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callAs } from '../e2e/call.ts'
import { startService, type ServiceProcess } from '../e2e/start-service.ts'
import { silentLog } from '../packages/server/src/store/log.ts'
import { openDatabase } from '../packages/server/src/store/open-database.ts'
import { startChild, type Child } from './child.ts'
import { compete, measureLoad, median, ratios } from './compete.ts'
import { loadGenerator } from './load.ts'
import { recordResult } from './record.ts'

const rounds = Number(process.argv[2] ?? 15)
const seconds = Number(process.argv[3] ?? 1)
const connections = 32
const valueCount = 50

/** Limits as usual, so wide that nobody is refused: the processes count, and tell each other. */
const rateLimits = 'delivery=200000/400000,deliveryNode=200000/400000'

const directory = await mkdtemp(join(tmpdir(), 'signalbox-processes-'))
// PostgreSQL runs as another user when this is run by root, and has to get through.
await chmod(directory, 0o711)
const source = { dataDir: join(directory, 'database'), searchPath: process.env['PATH'] ?? '' }
const database = await openDatabase(source, silentLog)
const { host = '', user = '', database: name = '' } = database.target.hosts[0] ?? {}
const bootstrapToken = randomBytes(24).toString('base64url')
const started: ServiceProcess[] = []
const bare: Child[] = []

async function start(roles: string, settings: Readonly<Record<string, string>>) {
  const service = await startService({
    entry: 'built',
    env: {
      DATABASE_URL: `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`,
      SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
      SIGNALBOX_DATA_DIR: join(directory, `node-${started.length}`),
      SIGNALBOX_ROLES: roles,
      SIGNALBOX_LOG_LEVEL: 'warn',
      SIGNALBOX_RATE_LIMITS: rateLimits,
      ...settings,
    },
  })
  started.push(service)
  return service
}

/** Stores a configuration, and returns what reads it. */
async function furnish(): Promise<{ readonly path: string; readonly token: string }> {
  const { apiUrl } = await start('api,worker', { SIGNALBOX_BOOTSTRAP_TOKEN: bootstrapToken })
  const { id: orgId } = await callAs(apiUrl, bootstrapToken)<{ id: string }>(
    'POST',
    '/organizations',
    { name: 'Bench' },
  )
  const owner = callAs(`${apiUrl}/organizations/${orgId}`, bootstrapToken)
  const { secret: token } = await owner<{ secret: string }>('POST', '/api-keys', {
    name: 'web',
    kind: 'b2m',
  })
  const { id: environmentId } = await owner<{ id: string }>('POST', '/environments', {
    name: 'live',
  })
  const text = { type: 'string', tier: 'public', default: 'x'.repeat(20) }
  const names = Array.from({ length: valueCount }, (_, at) => `configKey${at}`)
  const schema = Object.fromEntries(names.map((each) => [each, text]))
  const { id: schemaId } = await owner<{ id: string }>('POST', '/config-schemas', {
    name: 'web',
    schema,
  })
  return { path: `/snapshots/${schemaId}/${environmentId}`, token }
}

interface Contestant {
  readonly port: number
  readonly pids: readonly number[]
}

async function startDelivery(processes: number): Promise<Contestant> {
  const service = await start('delivery', { SIGNALBOX_DELIVERY_PROCESSES: String(processes) })
  const { pid } = service
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  const pids = [pid, ...children.filter(Boolean).map(Number)]
  return { port: Number(new URL(service.configUrl).port), pids }
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

/** Returns the memory of each process in MiB, as the kernel accounts for it. */
function residentMiB({ pids }: Contestant): number[] {
  return pids.map((pid) => {
    const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kib) / 1024)
  })
}

async function measure(): Promise<void> {
  const { path, token } = await furnish()
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
    measureLoad(pids, {
      port,
      requests: [{ path, headers }],
      connections,
      seconds,
      core: undefined,
    })
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
    found: `${gain.requestsPerSecond} times one process, a bare server ${gainOfBare.requestsPerSecond} times: ${ofGain}; ${gain.answersPerCpuSecond} of the answers per processor second; ${besideBare.requestsPerSecond} of two bare servers`,
    reached: ofGain >= 0.9 && gain.answersPerCpuSecond >= 0.9,
    measured: {
      setup: { load: loadGenerator, pinned: false, connections, rounds, seconds },
      bodyBytes: Buffer.byteLength(served.body),
      gain,
      gainOfBare,
      besideBare,
      residentMiB: { one: residentMiB(one), two: residentMiB(two) },
      medians: {
        bareOne: median(results.bareOne),
        one: median(results.one),
        bareTwo: median(results.bareTwo),
        two: median(results.two),
      },
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
  await rm(directory, { recursive: true, force: true })
}
