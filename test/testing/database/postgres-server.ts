import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, writeFile } from 'node:fs/promises'
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

/** Creates two equal clusters in folders of `directory`, and returns them: one for a primary, and one for its standby. */
export async function createClusters(
  binaries: PostgresBinaries,
  directory: string,
): Promise<readonly [primary: string, standby: string]> {
  const [primary, standby] = [join(directory, 'primary'), join(directory, 'standby')]
  await createCluster({ cluster: primary, binaries, runAs })
  await writeFile(join(primary, 'pg_hba.conf'), `${accessRules.join('\n')}\n`)
  await run('cp', ['--archive', primary, standby])
  return [primary, standby]
}

/** Starts a primary with an empty database. */
export async function startPrimary(
  binaries: PostgresBinaries,
  cluster: string,
): Promise<PostgresServer> {
  const server = await startPostgres(binaries, cluster)
  await server.query('create database signalbox')
  return server
}

/** Starts the standby of the primary that answers at `port`, which it follows through that port. */
export async function startStandby(
  binaries: PostgresBinaries,
  cluster: string,
  port: number,
): Promise<PostgresServer> {
  const from = `host=127.0.0.1 port=${port} user=${embeddedUser} application_name=standby`
  await writeFile(join(cluster, 'standby.signal'), '')
  await appendFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`)
  return startPostgres(binaries, cluster)
}

async function startPostgres(
  { postgres }: PostgresBinaries,
  cluster: string,
): Promise<PostgresServer> {
  const port = await findFreePort()
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
    const client = new pg.Client({ host: '127.0.0.1', port, user: embeddedUser, database })
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
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: embeddedUser,
      database: 'postgres',
    })
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
