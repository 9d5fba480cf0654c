import type { FileHandle } from 'node:fs/promises'
import { parseRootKey } from '../crypto/root-key.ts'
import type { Settings } from '../settings.ts'
import { importDatabase } from '../store/import-database.ts'
import { silentLog } from '../store/log.ts'
import { openStore } from '../store/open-store.ts'
import { findRootKeys } from '../vault/root-key-file.ts'
import { UsageError, type Command, type CommandInput } from './command.ts'
import { interruptible } from './interruption.ts'
import { databaseSource } from '../store/open-database.ts'
import { openToRead } from './open-operand.ts'
import { createProgress } from './progress.ts'

/** Fills an empty database from an export: whole or not at all. Refused while the service runs on it. */
export const importCommand: Command = async (input) => {
  const { settings, operands, json, terminal } = input
  const [file] = operands
  if (file === undefined) {
    throw new UsageError('The name of the file to read is missing.', 'import backup.signalbox')
  }
  const read = settings()
  const handle = await openToRead(file)
  try {
    await interruptible((signal) => importFile(handle, read, input, signal))
  } finally {
    await handle.close().catch(() => undefined)
  }
  terminal.out(json ? JSON.stringify({ file }) : `Imported ${file}.`)
  return 0
}

/** A database that it had to make for the import goes again when that fails. No root key is made: it would not fit. */
async function importFile(
  handle: FileHandle,
  settings: Settings,
  { json, force, terminal }: CommandInput,
  signal: AbortSignal,
): Promise<void> {
  const { rootKeys, dataDir } = settings
  const keys = rootKeys.length > 0 ? rootKeys.map(parseRootKey) : findRootKeys(dataDir)
  // It claims the data directory as the service does, so only one of the two works on it.
  const store = await openStore({ source: databaseSource(settings), log: silentLog, signal })
  try {
    await importDatabase(store, handle.createReadStream(), {
      rootKeyIds: keys.map(({ id }) => id),
      replace: force,
      onProgress: createProgress(terminal, json),
      signal,
    })
  } catch (error) {
    await store.discard()
    throw error
  }
  await store.close()
}
