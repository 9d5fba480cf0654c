import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../packages/server/src/store/log.ts'
import { openDatabase, type OpenDatabase } from '../packages/server/src/store/open-database.ts'
import { withOwner } from '../packages/server/src/store/owner.ts'

/** The settings of every service that a bench starts. The load comes from one address with one key, which the limits are there to stop. */
export const benchSettings = {
  SIGNALBOX_ROOT_KEY: randomBytes(32).toString('base64url'),
  SIGNALBOX_BOOTSTRAP_TOKEN: randomBytes(24).toString('base64url'),
  SIGNALBOX_RATE_LIMITS: 'off',
  SIGNALBOX_LOG_LEVEL: 'warn',
} as const

/** The embedded PostgreSQL in a directory of its own, which is removed when it closes. */
export interface OwnPostgres {
  readonly directory: string
  readonly target: OpenDatabase['target']
  /** Names its first process, whose children serve the connections. */
  readonly pid: number
  /** Connects a service, as its `DATABASE_URL`. */
  readonly url: string
  close(): Promise<void>
}

export async function openOwnPostgres(): Promise<OwnPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
  // PostgreSQL runs as another user when this is run by root, and has to get through.
  await chmod(directory, 0o711)
  const source = {
    dataDir: join(directory, 'database'),
    searchPath: process.env['PATH'] ?? '',
  }
  const opened = await openDatabase(source, silentLog)
  const { host = '', user = '', database = '' } = opened.target.hosts[0] ?? {}
  const pid = await withOwner(opened.target, async (client) => {
    const { rows } = await client.query<{ file: string }>(
      `select pg_read_file('postmaster.pid') as file`,
    )
    return Number.parseInt(rows[0]?.file ?? '', 10)
  })
  return {
    directory,
    target: opened.target,
    pid,
    url: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    async close() {
      await opened.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
