import { existsSync } from 'node:fs'
import type { Settings } from '../settings.ts'
import { silentLog } from '../store/log.ts'
import { databaseSource } from '../store/open-database.ts'
import { openStore, type OpenStore } from '../store/open-store.ts'
import { UsageError } from './command.ts'

/**
 * Opens the database for one command, beside the service when that is running.
 *
 * @throws {UsageError} where no service has ever been, because the answer would be about an empty database.
 */
export async function openCommandStore(settings: Settings): Promise<OpenStore> {
  if (settings.databaseUrl === undefined && !existsSync(settings.dataDir)) {
    throw new UsageError(
      `There is no Signalbox in ${settings.dataDir}.`,
      'Run this where the service was started, or set SIGNALBOX_DATA_DIR or DATABASE_URL.',
    )
  }
  return openStore({ source: databaseSource(settings), log: silentLog, beside: true })
}
