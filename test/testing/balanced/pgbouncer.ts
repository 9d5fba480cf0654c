import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../shop-service.ts'
import { until } from '../proof-service.ts'

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
  { databaseUrl, connectQuery = asGuide, preparedStatements = 200 }: OpenPooler,
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
    'pool_mode = transaction',
    'default_pool_size = 4',
    `max_prepared_statements = ${preparedStatements}`,
  ]
  const file = join(directory, 'pgbouncer.ini')
  await writeFile(file, `${lines.join('\n')}\n`)
  await chmod(directory, 0o755)
  const asRoot = process.getuid?.() === 0
  const child = spawn(program, [file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(asRoot && { uid: nobody, gid: nobody }),
  })
  const ended = once(child, 'exit')
  let printed = ''
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  await until(() => child.exitCode !== null || isOpen(port), 'an open pooler')
  if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${printed}`)
  return {
    poolUrl: `postgres://signalbox@127.0.0.1:${port}/{role}`,
    async close() {
      child.kill('SIGKILL')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
