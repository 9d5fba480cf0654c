import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import {
  findBinaries,
  type PostgresBinaries,
} from '../../../packages/server/src/store/embedded/binaries.ts'
import {
  createCluster,
  embeddedUser,
} from '../../../packages/server/src/store/embedded/create-cluster.ts'
import { chooseRunAs } from '../../../packages/server/src/store/embedded/run-as.ts'
import { until } from '../proof-service.ts'
import { findFreePort } from '../network/ports.ts'
import { freezeTree, killTree } from './process-tree.ts'

const run = promisify(execFile)
const runAs = chooseRunAs()

/** Lets every program of this machine in: the port is of this test alone. */
const accessRules = [
  'local all all trust',
  'host all all 127.0.0.1/32 trust',
  'host replication all 127.0.0.1/32 trust',
]

/** Describes a PostgreSQL that listens on a port of this machine, as one of several. */
export interface PostgresServer {
  readonly port: number
  /** Runs SQL as the superuser, on a connection of its own. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>
  kill(): Promise<void>
  freeze(isFrozen: boolean): Promise<void>
}

/** Makes a folder for clusters, which the user that runs PostgreSQL may write. */
export async function makeClusterFolder(prefix: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), prefix))
  await chmod(directory, 0o755)
  if (runAs !== undefined) await chown(directory, runAs.uid, runAs.gid)
  return directory
}

/** Finds the programs of PostgreSQL, readable for the user that runs it. */
export async function findPostgres(directory: string): Promise<PostgresBinaries> {
  return findBinaries({
    copies: join(directory, 'programs'),
    searchPath: process.env['PATH'] ?? '',
    ownBin: undefined,
    runAs,
    major: undefined,
  })
}

/** Creates equal clusters in folders of `directory`, and returns them: one for a primary, and others for its standbys. */
export async function createClusters(
  binaries: PostgresBinaries,
  directory: string,
): Promise<readonly [primary: string, standby: string, other: string]> {
  const primary = join(directory, 'primary')
  const standbys = [join(directory, 'standby'), join(directory, 'other')] as const
  await createCluster({ cluster: primary, binaries, runAs })
  await writeFile(join(primary, 'pg_hba.conf'), `${accessRules.join('\n')}\n`)
  for (const standby of standbys) await run('cp', ['--archive', primary, standby])
  return [primary, ...standbys]
}

/** Starts a primary with an empty database. */
export async function startPrimary(
  binaries: PostgresBinaries,
  cluster: string,
): Promise<PostgresServer> {
  const server = await startPostgres(binaries, cluster, await findFreePort())
  await server.query('create database signalbox')
  return server
}

/**
 * Starts the standby of the primary that answers at `from`, which it follows through that port.
 *
 * @param port - where it listens. Default: a free port.
 * @param name - by which `synchronous_standby_names` knows it. Default: `standby`.
 */
export async function startStandby(
  binaries: PostgresBinaries,
  cluster: string,
  from: number,
  { port, name = 'standby' }: { readonly port?: number; readonly name?: string } = {},
): Promise<PostgresServer> {
  const primary = `host=127.0.0.1 port=${from} user=${embeddedUser} application_name=${name}`
  await writeFile(join(cluster, 'standby.signal'), '')
  await appendFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`)
  return startPostgres(binaries, cluster, port ?? (await findFreePort()))
}

/**
 * Copies the cluster of a running primary, as a standby of it begins: with what is written meanwhile, which the copy replays.
 * Removes what was at `to`.
 */
export async function copyCluster(primary: number, from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  const client = new pg.Client({ ...clientOf(primary), database: 'postgres' })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    await run('cp', ['--archive', from, to]).catch((error: unknown) => {
      // A file may end while it is copied: replaying the log removes it as well.
      const lines = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
      if (!lines.split('\n').every((line) => line.endsWith('No such file or directory')))
        throw error
    })
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    )
    const label = join(to, 'backup_label')
    await writeFile(label, rows[0]?.labelfile ?? '')
    if (runAs !== undefined) await chown(label, runAs.uid, runAs.gid)
    await rm(join(to, 'postmaster.pid'), { force: true })
  } finally {
    await client.end()
  }
}

const clientOf = (port: number) => ({ host: '127.0.0.1', port, user: embeddedUser })

async function startPostgres(
  { postgres }: PostgresBinaries,
  cluster: string,
  port: number,
): Promise<PostgresServer> {
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=']
  const child = spawn(postgres, ['-D', cluster, ...settings.flatMap((each) => ['-c', each])], {
    ...runAs,
    cwd: cluster,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'exit')
  const pid = child.pid ?? 0
  const query = async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) => {
    const database = sql.startsWith('create database') ? 'postgres' : 'signalbox'
    const client = new pg.Client({ ...clientOf(port), database })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<Row>(sql, values)).rows
    } finally {
      await client.end()
    }
  }
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended: ${said}`)
    const client = new pg.Client({ ...clientOf(port), database: 'postgres' })
    client.on('error', () => undefined)
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  }
  await until(isReady, 'PostgreSQL')
  return {
    port,
    query,
    async kill() {
      if (child.exitCode === null && child.signalCode === null) await killTree(pid)
      await ended
    },
    freeze: (isFrozen) => freezeTree(pid, isFrozen),
  }
}
