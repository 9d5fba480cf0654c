import { rename, rm } from 'node:fs/promises'
import { exportDatabase } from '../store/export-database.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'
import { interruptible } from './interruption.ts'
import { openCommandStore } from './open-command-store.ts'
import { openDraft } from './open-operand.ts'
import { createProgress } from './progress.ts'

/** Writes everything but the root key into one file. Safe beside the running service. */
export const exportCommand: Command = async ({ settings, operands, json, terminal }) => {
  const [file] = operands
  if (file === undefined) {
    throw new UsageError('The file to write is not named.', 'export backup.signalbox')
  }
  const read = settings()
  const unfinished = `${file}.unfinished`
  // For its owner alone: it holds names and addresses, and what is public in each environment.
  const handle = await openDraft(file, unfinished)
  try {
    await interruptible(async (signal) => {
      const store = await openCommandStore(read)
      try {
        const onProgress = createProgress(terminal, json)
        const out = handle.createWriteStream()
        await exportDatabase(store, out, { now: () => new Date(), onProgress, signal })
      } finally {
        await store.close()
      }
    })
    await rename(unfinished, file)
  } finally {
    await handle.close().catch(() => undefined)
    await rm(unfinished, { force: true })
  }
  if (json) terminal.out(JSON.stringify({ file }))
  else
    terminal.out(`Exported to ${file}. The root key is not in it: keep a copy of that elsewhere.`)
  return 0
}
