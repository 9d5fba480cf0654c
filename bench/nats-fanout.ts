// P4b: a committed write heard by a reader of each of 100 delivery nodes that NATS feeds.
//     npx tsc -b && node --conditions=@signalbox/source bench/nats-fanout.ts [writes]
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { startService, type ServiceProcess } from '../e2e/start-service.ts'
import { withOwner } from '../packages/server/src/store/owner.ts'
import { findTool } from '../scripts/tools/find-tool.ts'
import { openNatsCluster } from '../test/testing/nats/nats-cluster.ts'
import { cpuSecondsOf, residentMiB, startChild, type Child } from './child.ts'
import { benchSettings, openOwnPostgres, type OwnPostgres } from './own-postgres.ts'
import { percentile, recordResult } from './record.ts'
import { createSnapshot, type Snapshot } from './snapshot-of-50-keys.ts'

const writes = Number(process.argv[2] ?? 40)
const betweenWritesMs = 1_000
/** Runs so many nodes whole: more of them take more than two cores, and then measure the machine. Watchers stand for the others. */
const wholeNodes = 20
const perProcess = 10
/** As long as the message that says a write of this bench. */
const bareBytes = 6_000
const manySnapshots = 10_000
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const now = () => performance.timeOrigin + performance.now()
const rounded = (value: number) => Math.round(value * 100) / 100

interface Bench extends Snapshot {
  readonly writer: ServiceProcess
  readonly database: OwnPostgres
  readonly natsUrl: string
  readonly publisherKeys: string
}

interface Delays {
  readonly events: readonly (readonly number[])[]
  readonly bare: readonly (readonly number[])[]
}

let turns = 0

async function readPublisherKeys({ configUrl }: ServiceProcess): Promise<string> {
  const answer = await fetch(`${configUrl}/.well-known/signalbox-keys`)
  const { keys } = (await answer.json()) as { keys: { x: string }[] }
  return keys.map(({ x }) => x).join(',')
}

async function openNodes(bench: Bench, count: number): Promise<Child[]> {
  const { natsUrl, publisherKeys, path, browserKey: token } = bench
  const whole = Math.min(count, wholeNodes)
  const children: Child[] = []
  const open = async (nodes: number, watchers: number) => {
    const directory = join(bench.database.directory, `nodes-${count}-${children.length}`)
    const place = { nodes, watchers, natsUrl, publisherKeys, path, token, directory }
    const args = [JSON.stringify({ ...place, bareSubject: 'bench.*' })]
    const child = startChild('nats-nodes.ts', { core: children.length % 2, args })
    children.push(child)
    await child.next()
  }
  for (let left = whole; left > 0; left -= perProcess) await open(Math.min(left, perProcess), 0)
  if (count > whole) await open(0, count - whole)
  return children
}

/** Writes and says bare messages in turns, so that both meet the same machine. */
async function measureNodes(bench: Bench, count: number) {
  const { owner, target, writer } = bench
  const children = await openNodes(bench, count)
  const connection = await connect({ servers: bench.natsUrl.replace('nats://', '') })
  try {
    const moments = { events: {} as Record<string, number>, bare: {} as Record<string, number> }
    const bareBody = 'x'.repeat(bareBytes)
    const writeMs: number[] = []
    const cpuSeconds = cpuSecondsOf(writer.pid)
    for (let turn = 0; turn < writes; turn += 1) {
      turns += 1
      const sentAt = now()
      const body = { ...target, values: { key7: `value ${turns}` } }
      const { version } = await owner<{ version: number }>('PUT', '/config-values', body)
      moments.events[version] = now()
      writeMs.push(now() - sentAt)
      await pause(betweenWritesMs / 2)
      moments.bare[turns] = now()
      connection.publish(`bench.${turns}`, bareBody)
      await pause(betweenWritesMs / 2)
    }
    const usedMs = (cpuSecondsOf(writer.pid) - cpuSeconds) * 1_000
    await pause(2_000)
    const reports: Delays[] = []
    for (const child of children) {
      child.send(JSON.stringify(moments))
      reports.push(await child.next<Delays>())
    }
    return {
      nodes: count,
      ...toLast(
        'event',
        reports.map(({ events }) => events),
        count,
      ),
      ...toLast(
        'bare',
        reports.map(({ bare }) => bare),
        count,
      ),
      writeP50Ms: rounded(percentile(writeMs, 0.5)),
      writerProcessorMsPerWrite: rounded(usedMs / writes),
    }
  } finally {
    await connection.close()
    for (const child of children) await child.stop()
  }
}

/** Returns when the last node of all heard of each message, and how many of them heard nothing. */
function toLast<Name extends string>(
  name: Name,
  reports: readonly (readonly (readonly number[])[])[],
  count: number,
) {
  const byMessage = Array.from({ length: writes }, (_, index) =>
    reports.flatMap((report) => report[index] ?? []),
  )
  const lasts = byMessage.map((times) => Math.max(0, ...times))
  const found = {
    LastNodeP50Ms: rounded(percentile(lasts, 0.5)),
    LastNodeP99Ms: rounded(percentile(lasts, 0.99)),
    Missed: byMessage.reduce((sum, times) => sum + count - times.length, 0),
  }
  return Object.fromEntries(
    Object.entries(found).map(([key, value]) => [`${name}${key}`, value]),
  ) as Record<`${Name}${keyof typeof found}`, number>
}

/** Fills the organization with copies of its snapshot, and starts a node with an empty disk. */
async function measureBootstrap(bench: Bench) {
  const few = await startAlone(bench, 'few', 1)
  await withOwner(bench.database.target, async (client) => {
    const { rows } = await client.query<{ column: string }>(
      `select string_agg(quote_ident(column_name), ', ') as column from information_schema.columns
       where table_name = 'browser_snapshots'
         and column_name not in ('schema_id', 'environment_id', 'changed_in')`,
    )
    const columns = rows[0]?.column ?? ''
    await client.query(
      `insert into browser_snapshots (${columns}, schema_id, environment_id)
       select ${columns}, 'sch_' || lpad(s::text, 26, '0'), 'env_' || lpad(e::text, 26, '0')
       from (select * from browser_snapshots where schema_id = $1 order by version desc limit 1) one,
         generate_series(1, $2::int) s, generate_series(1, 100) e`,
      [bench.target.schemaId, manySnapshots / 100],
    )
  })
  const many = await startAlone(bench, 'many', manySnapshots)
  return {
    snapshots: manySnapshots,
    readyMs: many.readyMs,
    emptyReadyMs: few.readyMs,
    rssMbPerThousand: rounded(((many.rssMb - few.rssMb) * 1_000) / manySnapshots),
  }
}

async function startAlone(bench: Bench, name: string, least: number) {
  await untilPublished(bench, least)
  const begunAt = now()
  const node = await startService({
    entry: 'built',
    env: {
      SIGNALBOX_ROLES: 'delivery',
      SIGNALBOX_NATS_URL: bench.natsUrl,
      SIGNALBOX_PUBLISHER_KEYS: bench.publisherKeys,
      SIGNALBOX_DATA_DIR: join(bench.database.directory, name),
    },
  })
  try {
    for (;;) {
      const answer = await fetch(`${node.configUrl}/readyz`)
      const { ready, snapshots } = (await answer.json()) as {
        ready: boolean
        snapshots: { count: number }
      }
      if (ready && snapshots.count >= least) break
      await pause(10)
    }
    const readyMs = Math.round(now() - begunAt)
    await pause(3_000)
    return { readyMs, rssMb: Math.round(residentMiB(node.pid)) }
  } finally {
    await node.stop()
  }
}

/** Waits until NATS has at least so many objects, and no more come. */
async function untilPublished({ natsUrl }: Bench, least: number): Promise<void> {
  const connection = await connect({ servers: natsUrl.replace('nats://', '') })
  for (let before = -1; ;) {
    const answer = await connection.request('$JS.API.STREAM.INFO.KV_signalbox', '')
    const { state } = answer.json<{ state?: { messages: number; last_seq: number } }>()
    const messages = state?.messages ?? 0
    if (messages >= least && messages === before) break
    before = messages
    await pause(1_500)
  }
  await connection.close()
}

const nats = await findTool('nats-server')
if ('reason' in nats) throw new Error(nats.reason)
const cluster = await openNatsCluster(1)
const database = await openOwnPostgres()
const writer = await startService({
  entry: 'built',
  env: {
    ...benchSettings,
    DATABASE_URL: database.url,
    SIGNALBOX_DATA_DIR: join(database.directory, 'writer'),
    SIGNALBOX_NATS_URL: cluster.url,
  },
})
try {
  const bench: Bench = {
    writer,
    database,
    natsUrl: cluster.url,
    publisherKeys: await readPublisherKeys(writer),
    ...(await createSnapshot(writer.apiUrl)),
  }
  const byNodes = []
  for (const count of [1, 10, 100]) {
    byNodes.push(await measureNodes(bench, count))
    console.error(`${count} nodes are measured`)
  }
  const [one, , hundred] = byNodes
  if (one === undefined || hundred === undefined) throw new Error('Nothing was measured')
  const bootstrap = await measureBootstrap(bench)
  recordResult({
    figure: 'P4b',
    what: `A committed write until the last of 100 delivery nodes that NATS feeds has it, of which ${wholeNodes} are whole and have a reader, beside a bare message of NATS to 100 connections`,
    reach: `p99 <= 250 ms; ${manySnapshots} snapshots at a node with an empty disk <= 10 s`,
    found: `p99 ${hundred.eventLastNodeP99Ms} ms, p50 ${hundred.eventLastNodeP50Ms} ms; bare p99 ${hundred.bareLastNodeP99Ms} ms; ${bootstrap.readyMs} ms`,
    reached:
      hundred.eventLastNodeP99Ms <= 250 && hundred.eventMissed === 0 && bootstrap.readyMs <= 10_000,
    measured: {
      setup: { writes, betweenWritesMs, wholeNodes, perProcess, bareBytes },
      byNodes,
      bootstrap,
    },
  })
} finally {
  await writer.stop()
  await database.close()
  await cluster.close()
}
