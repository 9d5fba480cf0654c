import { spawn, type ChildProcess } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { chooseRunAs } from '../../../packages/server/src/store/embedded/run-as.ts'
import { startProgram } from '../balanced/start-program.ts'
import { until } from '../proof-service.ts'
import { findFreePort } from '../network/ports.ts'
import { openFreezableLink, type FreezableLink } from './freezable-link.ts'
import { freezeTree, killTree } from './process-tree.ts'

/** Patroni takes none below 20 seconds, and `loop_wait` with twice `retry_timeout` has to fit into it. */
const limits: Readonly<Record<string, number>> = JSON.parse(
  '{ "ttl": 20, "loop_wait": 2, "retry_timeout": 3 }',
)
const user = 'signalbox'
const startMs = 90_000

/** Names what a node of the cluster loses. */
export type NodeLoss = 'postgres' | 'everything' | 'time'

/** Describes PostgreSQL on three nodes, of which Patroni makes one the primary and one its synchronous standby. */
export interface PatroniCluster {
  /** Names the three hosts. */
  readonly databaseUrl: string
  /** Runs SQL at the present primary, as the superuser. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>
  /** Has the standbys receive nothing any more from the primary, and then takes PostgreSQL from it, or its whole node. */
  freezeReplication(): Promise<void>
  lose(what: NodeLoss): Promise<void>
  close(): Promise<void>
}

/** Describes the programs of a cluster. */
export interface PatroniPrograms {
  readonly patroni: string
  readonly etcd: string
}

/** Returns the folder of the system's PostgreSQL, whose `pg_basebackup` Patroni needs and npm does not have. */
export function findSystemPostgres(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin/pg_basebackup')
    .map((path) => path.replace(/\/pg_basebackup$/, ''))
    .toSorted()
    .at(-1)
}

interface ClusterNode {
  readonly name: string
  readonly port: number
  /** Stands between the standbys and this node. */
  readonly link: FreezableLink
  readonly dataDir: string
  readonly patroni: ChildProcess
}

/** Describes the cluster to open. */
export interface OpenPatroniCluster {
  readonly programs: PatroniPrograms
  /** Names the folder of PostgreSQL's programs. */
  readonly binDir: string
  /** Says whether a commit waits for a standby, as `synchronous_mode` has it. */
  readonly isSynchronous: boolean
}

/** Starts etcd and three nodes, and waits for a primary that both others follow. */
export async function openPatroniCluster({
  programs,
  binDir,
  isSynchronous,
}: OpenPatroniCluster): Promise<PatroniCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-patroni-'))
  const runAs = chooseRunAs()
  await chmod(directory, 0o755)
  if (runAs !== undefined) await chown(directory, runAs.uid, runAs.gid)
  const closing: (() => Promise<unknown>)[] = [
    () => rm(directory, { recursive: true, force: true }),
  ]
  const close = async () => {
    for (const step of closing.toReversed()) await step()
  }
  try {
    const etcd = await startEtcd(programs.etcd, join(directory, 'etcd'))
    closing.push(etcd.close)
    const nodes: ClusterNode[] = []
    for (const name of ['a', 'b', 'c']) {
      const node = await startNode(programs.patroni, {
        directory,
        name,
        binDir,
        etcd: etcd.port,
        isSynchronous,
      })
      nodes.push(node)
      closing.push(async () => {
        await loseNode(node, 'everything')
        await node.link.close()
      })
      // The first one becomes the primary, and the others copy it.
      if (nodes.length === 1) await until(() => isPrimary(node), 'a primary', startMs)
    }
    const [first] = nodes
    if (first === undefined) throw new Error('There is no node')
    const followers = async () =>
      run<{ mode: string }>(
        first,
        'postgres',
        `select sync_state as mode from pg_stat_replication where state = 'streaming'`,
      ).catch(() => [])
    await until(
      async () => {
        const modes = (await followers()).map(({ mode }) => mode)
        return modes.length === 2 && modes.includes('sync') === isSynchronous
      },
      'two standbys',
      startMs,
    )
    await run(first, 'postgres', 'create database signalbox')
    const primary = async () => {
      for (const node of nodes) if (await isPrimary(node)) return node
      throw new Error('There is no primary')
    }
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')
    return {
      databaseUrl: `postgres://${user}@${hosts}/signalbox`,
      query: async (sql, values) => run(await primary(), 'signalbox', sql, values),
      freezeReplication: async () => (await primary()).link.freeze(),
      lose: async (what) => loseNode(await primary(), what),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function startEtcd(program: string, directory: string) {
  const [port, peerPort] = [await findFreePort(), await findFreePort()]
  await mkdir(directory)
  const client = `http://127.0.0.1:${port}`
  const peer = `http://127.0.0.1:${peerPort}`
  const close = await startProgram({
    program,
    directory,
    ports: [port],
    args: Object.entries({
      name: 'etcd',
      'data-dir': join(directory, 'data'),
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `etcd=${peer}`,
      'log-level': 'error',
    }).map(([name, value]) => `--${name}=${value}`),
  })
  return { port, close }
}

interface StartNode {
  readonly directory: string
  readonly name: string
  readonly binDir: string
  readonly etcd: number
  readonly isSynchronous: boolean
}

async function startNode(
  program: string,
  { directory, name, binDir, etcd, isSynchronous }: StartNode,
): Promise<ClusterNode> {
  const [port, restPort] = [await findFreePort(), await findFreePort()]
  const link = await openFreezableLink(port)
  const dataDir = join(directory, name)
  const rest = `127.0.0.1:${restPort}`
  const configuration = {
    scope: 'signalbox',
    name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: { ...limits, synchronous_mode: isSynchronous, primary_start_timeout: 0 },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${link.port}`,
      data_dir: dataDir,
      bin_dir: binDir,
      pgpass: join(directory, `${name}.pgpass`),
      authentication: {
        superuser: { username: user, password: user },
        replication: { username: 'replicator', password: 'replicator' },
      },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: { unix_socket_directories: directory, max_connections: 100 },
    },
  }
  const file = join(directory, `${name}.json`)
  // JSON is YAML, which Patroni reads.
  await writeFile(file, JSON.stringify(configuration))
  const patroni = spawn(program, [file], {
    ...chooseRunAs(),
    cwd: directory,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', HOME: directory },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // Read, so that it never waits for a full pipe.
  patroni.stderr.resume()
  return { name, port, link, dataDir, patroni }
}

async function loseNode({ patroni, dataDir }: ClusterNode, what: NodeLoss): Promise<void> {
  const file = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')
  const postgres = Number.parseInt(file, 10)
  const programs = [what === 'postgres' ? undefined : patroni.pid, postgres]
  for (const pid of programs) {
    if (pid === undefined || !(pid > 0)) continue
    if (what === 'time') await freezeTree(pid, true).catch(() => undefined)
    else await killTree(pid).catch(() => undefined)
  }
}

async function isPrimary(node: ClusterNode): Promise<boolean> {
  const [row] = await run<{ primary: boolean }>(
    node,
    'postgres',
    'select not pg_is_in_recovery() as primary',
  ).catch(() => [])
  return row?.primary ?? false
}

async function run<Row extends pg.QueryResultRow>(
  { port }: ClusterNode,
  database: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user,
    database,
    connectionTimeoutMillis: 1_000,
    query_timeout: 5_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(sql, values)).rows
  } finally {
    void client.end().catch(() => undefined)
  }
}
