import type { FileHandle } from 'node:fs/promises'
import { parseRootKey } from '../crypto/root-key.ts'
import type { Settings } from '../settings.ts'
import { importDatabase } from '../store/import-database.ts'
import { silentLog } from '../store/log.ts'
import { openStore } from '../store/open-store.ts'
import { withRootKeys } from '../start/root-keys.ts'
import { goOnFromHighest } from './go-on-from-highest.ts'
import { findRootKeys } from '../vault/root-key-file.ts'
import { listOutletStates } from '../audit/outlets/outlet-rows.ts'
import type { Store } from '../store/store.ts'
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
    throw new UsageError(
      'The name of the file to read is missing.',
      'signalbox-server import backup.signalbox',
    )
  }
  const read = await withRootKeys(settings())
  const handle = await openToRead(file)
  try {
    const undelivered = await interruptible((signal) => importFile(handle, read, input, signal))
    terminal.out(json ? JSON.stringify({ file, ...undelivered }) : `Imported ${file}.`)
    if (!json) for (const line of warnOf(undelivered)) terminal.err(`! ${line}`)
  } finally {
    await handle.close().catch(() => undefined)
  }
  return 0
}

/** Counts events of the audit log by the outlet that they have not left through. Left out: there are none. */
interface UndeliveredEvents {
  /** They were in the database that the import has replaced. */
  readonly auditEventsLost?: Readonly<Record<string, number>>
  /** They are in the file, and leave when the service runs. */
  readonly auditEventsWaiting?: Readonly<Record<string, number>>
}

function count(events: number): string {
  return events === 1 ? '1 event of the audit log' : `${events} events of the audit log`
}

function warnOf({ auditEventsLost = {}, auditEventsWaiting = {} }: UndeliveredEvents): string[] {
  return [
    ...Object.entries(auditEventsLost).map(
      ([outlet, events]) =>
        `The replaced database held ${count(events)} that had not left through ${outlet}. No receiver has them.`,
    ),
    ...Object.entries(auditEventsWaiting).map(
      ([outlet, events]) =>
        `The file holds ${count(events)} that had not left through ${outlet} when it was written. Signalbox sends them after its start. A receiver may have got some of them since: its identifiers are the organization and the sequence.`,
    ),
  ]
}

/** Counts the events that wait, by their outlet; `undefined` where none does. */
async function countWaiting(
  store: Pick<Store, 'maintenance'>,
): Promise<Readonly<Record<string, number>> | undefined> {
  const states = await store.maintenance((tx) => listOutletStates(tx, new Date()))
  const waiting = states.filter((state) => state.waiting > 0)
  if (waiting.length === 0) return undefined
  return Object.fromEntries(waiting.map((state) => [state.name, state.waiting]))
}

/** A database that it had to make for the import goes again when that fails. No root key is made: it would not fit. */
async function importFile(
  handle: FileHandle,
  settings: Settings,
  { json, force, terminal }: CommandInput,
  signal: AbortSignal,
): Promise<UndeliveredEvents> {
  const { rootKeys, dataDir } = settings
  const keys = rootKeys.length > 0 ? rootKeys.map(parseRootKey) : findRootKeys(dataDir)
  // It claims the data directory as the service does, so only one of the two works on it.
  const store = await openStore({ source: databaseSource(settings), log: silentLog, signal })
  try {
    const lost = force ? await countWaiting(store) : undefined
    await importDatabase(store, handle.createReadStream(), {
      rootKeyIds: keys.map(({ id }) => id),
      replace: force,
      ...goOnFromHighest(() => new Date()),
      onProgress: createProgress(terminal, json),
      signal,
    })
    const waiting = await countWaiting(store)
    await store.close()
    return {
      ...(lost !== undefined && { auditEventsLost: lost }),
      ...(waiting !== undefined && { auditEventsWaiting: waiting }),
    }
  } catch (error) {
    await store.discard()
    throw error
  }
}
