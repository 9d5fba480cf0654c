import type { StoreLog } from '../store/log.ts'
import { databaseSource } from '../store/open-database.ts'
import { openStore } from '../store/open-store.ts'
import type { Command } from './command.ts'

/**
 * Brings the database to the shape of this version and ends, as the first node of the version would at its start. Run it
 * before an upgrade that starts many nodes: a migration that fails then stops the upgrade while every node still runs.
 */
export const migrateCommand: Command = async ({ settings, json, terminal }) => {
  const migrated: string[] = []
  const log: StoreLog = {
    info(message: string, { migration } = {}) {
      if (migration !== undefined) migrated.push(String(migration))
      if (!json) terminal.err(migration === undefined ? message : `${message}: ${migration}`)
    },
    warn: (message: string) => terminal.err(message),
    error: (message: string) => terminal.err(message),
  }
  const store = await openStore({ source: databaseSource(settings()), log, beside: true })
  await store.close()
  terminal.out(json ? JSON.stringify({ migrated }) : 'The database is up to date.')
  return 0
}
