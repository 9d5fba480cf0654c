import { createReadStream } from 'node:fs'
import { parseRootKey } from '../crypto/root-key.ts'
import { importDatabase, ImportRefused } from '../store/import-database.ts'
import { loadRootKeys } from '../vault/root-key-file.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'
import { openFreshCommandStore } from './open-command-store.ts'
import { createProgress } from './progress.ts'

/** Fills an empty database from an export: whole or not at all. */
export const importCommand: Command = async ({ settings, operands, json, force, terminal }) => {
  const [file] = operands
  if (file === undefined) throw new UsageError('Name the file to read: import backup.signalbox')
  const read = settings()
  const store = await openFreshCommandStore(read)
  try {
    // After the store is open: it makes the data directory as it has to be.
    const rootKeys =
      read.rootKeys.length > 0 ? read.rootKeys.map(parseRootKey) : loadRootKeys(read.dataDir)
    await importDatabase(store, createReadStream(file), {
      rootKeyIds: rootKeys.map(({ id }) => id),
      replace: force,
      onProgress: createProgress(terminal, json),
    })
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error
    terminal.err(error.message)
    return 1
  } finally {
    await store.close()
  }
  terminal.out(json ? JSON.stringify({ file }) : `Imported ${file}.`)
  return 0
}
