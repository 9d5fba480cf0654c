import { open, rm } from 'node:fs/promises'
import { serverChain, systemAuthor } from '../audit/audit-event.ts'
import { recordMaintenanceEvent } from '../audit/record-event.ts'
import type { Settings } from '../settings.ts'
import { exportDatabase } from '../store/export-database.ts'
import { renameFlushed } from '../store/whole-file.ts'
import type { Command, Terminal } from './command.ts'
import { UsageError } from './command.ts'
import { interruptible } from './interruption.ts'
import { openCommandStore } from './open-command-store.ts'
import { openDraft } from './open-operand.ts'
import { createProgress } from './progress.ts'

/** Writes everything but the root key into one file. Safe beside the running service. */
export const exportCommand: Command = async ({ settings, operands, json, terminal }) => {
  const [file] = operands
  if (file === undefined) {
    throw new UsageError(
      'The name of the file to write is missing.',
      'signalbox-server export backup.signalbox',
    )
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
    await nameFlushed(unfinished, file)
    await noteBackup(read, terminal)
  } finally {
    await handle.close().catch(() => undefined)
    await rm(unfinished, { force: true })
  }
  if (json) terminal.out(JSON.stringify({ file }))
  else
    terminal.out(
      `Exported to ${file}. It doesn’t contain the root key: keep a copy of that elsewhere.`,
    )
  return 0
}

/** Gives the draft its name. Its stream has closed it: one that leaves a file open keeps its handle from ever being closed. */
async function nameFlushed(unfinished: string, file: string): Promise<void> {
  const written = await open(unfinished, 'r+')
  try {
    await renameFlushed(written, unfinished, file)
  } finally {
    await written.close()
  }
}

/** Records the backup in the server's audit chain. A failure to record it does not spoil the backup. */
async function noteBackup(settings: Settings, terminal: Terminal): Promise<void> {
  try {
    const store = await openCommandStore(settings)
    try {
      await store.maintenance(async (tx) =>
        recordMaintenanceEvent(tx, {
          orgId: serverChain,
          actor: systemAuthor,
          action: 'backup.created',
          target: { type: 'backup', id: null, name: null },
        }),
      )
    } finally {
      await store.close()
    }
  } catch (error) {
    terminal.err(`Could not record the backup: ${String(error)}`)
  }
}
