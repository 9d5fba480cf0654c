import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '../../packages/server/src/settings.ts'
import { startService } from '../../packages/server/src/start/start-service.ts'
import {
  createTestDatabase,
  type TestDatabase,
} from '../../packages/server/src/store/testing/test-database.ts'
import { silentLog, type Log } from '../../packages/server/src/telemetry/log.ts'

/** The whole service, in this process, on a database of its own. */
export interface OpenService {
  readonly apiUrl: string
  readonly configUrl: string
  readonly bootstrapToken: string
  readonly database: TestDatabase
  /** Stops it as SIGTERM does. The database stays. */
  close(): Promise<void>
  /** Stops it and removes what it stored. */
  remove(): Promise<void>
}

export interface OpenServiceOptions {
  /** Default: one of its own. */
  readonly database?: TestDatabase
  /** Default: no pooler. */
  readonly poolUrl?: string
  /** Default: what says nothing. */
  readonly log?: Log
}

/** Starts every role on free ports, with nothing limited. */
export async function openService(options: OpenServiceOptions = {}): Promise<OpenService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-open-'))
  const database = options.database ?? (await createTestDatabase())
  const bootstrapToken = 'bootstrap-token-of-the-tests-0123456789'
  const settings = readSettings({
    DATABASE_URL: database.databaseUrl,
    SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
    SIGNALBOX_BOOTSTRAP_TOKEN: bootstrapToken,
    SIGNALBOX_DATA_DIR: dataDir,
    SIGNALBOX_API_PORT: '0',
    SIGNALBOX_DELIVERY_PORT: '0',
    SIGNALBOX_RATE_LIMITS: 'off',
    ...(options.poolUrl !== undefined && { SIGNALBOX_POOL_URL: options.poolUrl }),
  })
  const started = await startService(settings, options.log ?? silentLog)
  const { apiUrl = '', configUrl = '' } = started
  let closed: Promise<void> | undefined
  return {
    apiUrl,
    configUrl,
    bootstrapToken,
    database,
    close: () => (closed ??= started.close()),
    async remove() {
      await (closed ??= started.close())
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
