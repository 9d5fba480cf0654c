// P4: a committed write heard by 1,000 streams. P5: 10,000 streams on one delivery process.
//     npx tsc -b && node --conditions=@signalbox/source bench/sse-fanout.ts [P4|P5] [writes]
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService, type ServiceProcess } from '../e2e/start-service.ts'
import { hasTaskset, pin, residentMiB, startChild, type Child } from './child.ts'
import { benchSettings, openOwnPostgres } from './own-postgres.ts'
import { recordResult } from './record.ts'
import { createSnapshot, type Snapshot } from './snapshot-of-50-keys.ts'

const [only, given] = process.argv.slice(2)
const writes = Number(given ?? 100)
const betweenWritesMs = 250
const serverCore = 0
const clientCore = 1

const now = () => performance.timeOrigin + performance.now()
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Report {
  readonly open: number
  readonly refused: number
  readonly missed: number
  readonly superseded: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly lastReaderP99Ms: number
}

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startService({ entry: 'built', env: { ...benchSettings, ...env } })
  pin(service.pid, serverCore)
  return service
}

/** Waits until a delivery knows what was set up, and answers the version it has. */
async function findVersion(configUrl: string, { path, browserKey }: Snapshot): Promise<number> {
  for (let tried = 0; tried < 100; tried += 1) {
    const answer = await fetch(`${configUrl}${path}`, {
      headers: { authorization: `Bearer ${browserKey}` },
    })
    if (answer.ok) return ((await answer.json()) as { version: number }).version
    await answer.arrayBuffer()
    await pause(50)
  }
  throw new Error('The delivery never had the snapshot')
}

async function openReaders(configUrl: string, place: Snapshot, count: number) {
  const child = startChild('stream-clients.ts', {
    core: clientCore,
    args: [
      JSON.stringify({
        port: Number(new URL(configUrl).port),
        path: `${place.path}/stream`,
        token: place.browserKey,
        count,
        perSecond: 2_000,
      }),
    ],
  })
  const connected = await child.next<{ open: number; refused: number; connectedInMs: number }>()
  if (connected.open !== count) throw new Error(`Only ${connected.open} of ${count} are connected`)
  return { child, connected }
}

interface WriteReports {
  /** From the moment the write was sent, so that the write itself is part of it. */
  readonly fromSending: Report
  /** From the moment the writer was told that it is committed. */
  readonly fromCommit: Report
  readonly writeMs: number
}

/** Writes one value after the other, and asks the readers when each of them heard of it. */
async function measureWrites(
  { owner, target }: Snapshot,
  version: number,
  readers: Child,
): Promise<WriteReports> {
  const sentAt: Record<number, number> = {}
  const committedAt: Record<number, number> = {}
  let writeMs = 0
  for (let turn = 1; turn <= writes; turn += 1) {
    const sent = now()
    sentAt[version + turn] = sent
    await owner('PUT', '/config-values', { ...target, values: { key7: `value ${turn}` } })
    committedAt[version + turn] = now()
    writeMs += (now() - sent) / writes
    if (turn % 20 === 0) console.error(`write ${turn} of ${writes}`)
    await pause(betweenWritesMs)
  }
  await pause(1_000)
  const ask = async (moments: Record<number, number>) => {
    readers.send(JSON.stringify(moments))
    return readers.next<Report>()
  }
  return {
    fromSending: await ask(sentAt),
    fromCommit: await ask(committedAt),
    writeMs: Math.round(writeMs * 100) / 100,
  }
}

function memoryOf(pid: number): { rssMb: number; peakMb: number } {
  return {
    rssMb: Math.round(residentMiB(pid)),
    peakMb: Math.round(residentMiB(pid, 'VmHWM')),
  }
}

/** Lets 1,000 readers of one service hear what is written by another, or by the same. */
async function measureFanout(writer: ServiceProcess, read: ServiceProcess): Promise<WriteReports> {
  const place = await createSnapshot(writer.apiUrl)
  const version = await findVersion(read.configUrl, place)
  const { child } = await openReaders(read.configUrl, place, 1_000)
  try {
    return await measureWrites(place, version, child)
  } finally {
    await child.stop()
  }
}

async function measureEmbedded(): Promise<WriteReports> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-fanout-'))
  // PostgreSQL runs as another user when this runs as root, and has to pass through.
  await chmod(directory, 0o711)
  const service = await start({ SIGNALBOX_DATA_DIR: directory })
  try {
    return await measureFanout(service, service)
  } finally {
    await service.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

/** A node that writes and a node that is read, on one PostgreSQL. */
async function withTwoNodes<T>(
  roles: readonly [writer: string, read: string],
  work: (writer: ServiceProcess, read: ServiceProcess) => Promise<T>,
): Promise<T> {
  const database = await openOwnPostgres()
  const node = (dataDir: string, nodeRoles: string) =>
    start({
      DATABASE_URL: database.url,
      SIGNALBOX_DATA_DIR: join(database.directory, dataDir),
      SIGNALBOX_ROLES: nodeRoles,
    })
  const services: ServiceProcess[] = []
  try {
    const writer = await node('writer', roles[0])
    services.push(writer)
    const read = await node('read', roles[1])
    services.push(read)
    return await work(writer, read)
  } finally {
    for (const service of services) await service.stop()
    await database.close()
  }
}

async function measureP4(): Promise<void> {
  const embedded = await measureEmbedded()
  const everything = 'api,worker,delivery'
  const twoNodes = await withTwoNodes([everything, everything], measureFanout)
  recordResult({
    figure: 'P4',
    what: 'A committed write until its event is at 1,000 streams',
    reach: 'embedded p99 <= 50 ms, two nodes on one PostgreSQL p99 <= 150 ms',
    found: `embedded ${embedded.fromCommit.p99Ms} ms, two nodes ${twoNodes.fromCommit.p99Ms} ms`,
    reached:
      embedded.fromCommit.p99Ms <= 50 &&
      twoNodes.fromCommit.p99Ms <= 150 &&
      embedded.fromCommit.missed + twoNodes.fromCommit.missed === 0,
    measured: { setup: setup(), embedded, twoNodes },
  })
}

async function measureP5(): Promise<void> {
  await withTwoNodes(['api,worker', 'delivery'], async (writer, read) => {
    const place = await createSnapshot(writer.apiUrl)
    const version = await findVersion(read.configUrl, place)
    const before = memoryOf(read.pid)
    const { child, connected } = await openReaders(read.configUrl, place, 10_000)
    try {
      await pause(2_000)
      const idle = memoryOf(read.pid)
      const report = await measureWrites(place, version, child)
      const after = memoryOf(read.pid)
      recordResult({
        figure: 'P5',
        what: '10,000 streams on one delivery process, and a write until its event is at all of them',
        reach: '<= 200 MB RSS, fan-out to all p99 <= 250 ms',
        found: `${after.rssMb} MB, p99 ${report.fromCommit.p99Ms} ms`,
        reached:
          after.rssMb <= 200 && report.fromCommit.p99Ms <= 250 && report.fromCommit.missed === 0,
        measured: { setup: setup(), connected, memory: { before, idle, after }, ...report },
      })
    } finally {
      await child.stop()
    }
  })
}

function setup() {
  return {
    pinned: hasTaskset,
    writes,
    betweenWritesMs,
    clients: 'node:net in a process of its own',
  }
}

if (only !== 'P5') await measureP4()
if (only !== 'P4') await measureP5()
