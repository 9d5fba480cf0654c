import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { exportDatabase } from '../store/export-database.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'
import { openCommandStore } from './open-command-store.ts'
import { createProgress } from './progress.ts'

/** Writes everything but the root key into one file. Safe beside the running service. */
export const exportCommand: Command = async ({ settings, operands, json, terminal }) => {
  const [file] = operands
  if (file === undefined) throw new UsageError('Name the file to write: export backup.signalbox')
  const store = await openCommandStore(settings())
  const unfinished = `${file}.unfinished`
  try {
    // Readable by its owner alone: it holds names and addresses, and what is public in each environment.
    const out = createWriteStream(unfinished, { mode: 0o600 })
    const onProgress = createProgress(terminal, json)
    await exportDatabase(store, out, { now: () => new Date(), onProgress })
    await rename(unfinished, file)
  } finally {
    await rm(unfinished, { force: true })
    await store.close()
  }
  if (json) terminal.out(JSON.stringify({ file }))
  else
    terminal.out(`Exported to ${file}. The root key is not in it: keep a copy of that elsewhere.`)
  return 0
}
