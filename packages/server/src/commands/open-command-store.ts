import type { Settings } from '../settings.ts'
import { silentLog } from '../store/log.ts'
import type { DatabaseSource } from '../store/open-database.ts'
import { openStore, type OpenStore } from '../store/open-store.ts'

/** Which database the settings mean. */
export function databaseSource({ databaseUrl, dataDir, searchPath }: Settings): DatabaseSource {
  return databaseUrl === undefined ? { dataDir, searchPath } : { databaseUrl }
}

/** Opens the database for one command, beside the service when that is running. */
export async function openCommandStore(settings: Settings): Promise<OpenStore> {
  return openStore({ source: databaseSource(settings), log: silentLog, beside: true })
}
