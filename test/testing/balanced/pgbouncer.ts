import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../network/ports.ts'
import { startProgram } from './start-program.ts'

/** PgBouncer in transaction mode, in front of one database. */
export interface Pooler {
  /** The value of `SIGNALBOX_POOL_URL`. */
  readonly poolUrl: string
  close(): Promise<void>
}

export interface OpenPooler {
  readonly databaseUrl: string
  /** Holds the SQL that each session begins with. Default: as the guide says. */
  readonly connectQuery?: (role: string) => string
  /** Default `transaction`. */
  readonly mode?: 'transaction' | 'session' | 'statement'
  /** Default 200. */
  readonly preparedStatements?: number
}

const roles = ['signalbox_app', 'signalbox_delivery', 'signalbox_maintenance']
/** It refuses to run as root. */
const nobody = 65_534
const asGuide = (role: string) => `set role ${role}; set statement_timeout = 60000`

/** Starts PgBouncer with at most four sessions for each role. */
export async function openPooler(
  program: string,
  {
    databaseUrl,
    connectQuery = asGuide,
    preparedStatements = 200,
    mode = 'transaction',
  }: OpenPooler,
): Promise<Pooler> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-pgbouncer-'))
  const port = await findFreePort()
  const url = new URL(databaseUrl)
  const place = [
    `host=${url.searchParams.get('host') ?? url.hostname}`,
    `dbname=${url.pathname.slice(1)}`,
    `user=${url.username}`,
  ].join(' ')
  const lines = [
    '[databases]',
    ...roles.map((role) => `${role} = ${place} connect_query='${connectQuery(role)}'`),
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'default_pool_size = 4',
    `max_prepared_statements = ${preparedStatements}`,
  ]
  const file = join(directory, 'pgbouncer.ini')
  await writeFile(file, `${lines.join('\n')}\n`)
  await chmod(directory, 0o755)
  const close = await startProgram({
    program,
    args: [file],
    directory,
    ports: [port],
    ...(process.getuid?.() === 0 && { as: { uid: nobody, gid: nobody } }),
  })
  return {
    poolUrl: `postgres://signalbox@127.0.0.1:${port}/{role}`,
    close,
  }
}
