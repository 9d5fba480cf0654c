import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FlagdDefinition } from '../../api/operations.ts'
import type { Session } from '../../session.ts'
import { CliError } from '../../terminal/cli-error.ts'

/** Describes a definition that is followed. */
export interface Watched {
  /** Names the definition that was written last. */
  readonly etag: string | undefined
  readonly read: (etag: string | undefined) => Promise<{
    readonly body: FlagdDefinition | undefined
    readonly etag: string | undefined
  }>
  readonly write: (definition: FlagdDefinition) => Promise<void>
}

/** Asks this often. flagd itself does, and an answer without a change costs nothing. */
const intervalMs = 5_000

/**
 * Writes each new definition until the process is asked to stop. The file stays as it is while the server cannot be
 * reached; a rejection ends the watch.
 *
 * @throws {CliError} as `read` and `write` do
 */
export async function watchDefinition(session: Session, watched: Watched): Promise<void> {
  const stop = new AbortController()
  const end = () => stop.abort()
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  try {
    await follow(session, watched, stop.signal)
  } finally {
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
  }
}

async function follow(
  { output }: Session,
  { etag, read, write }: Watched,
  stop: AbortSignal,
): Promise<void> {
  let held = etag
  let isAway = false
  while (await pause(stop)) {
    try {
      const { body, etag: next } = await read(held)
      if (isAway) output.note('    the server answers again')
      isAway = false
      if (body !== undefined) await write(body)
      held = next
    } catch (error) {
      if (!(error instanceof CliError) || error.reason !== 'unreachable') throw error
      if (!isAway) output.warn(`${error.message} The file stays as it is.`)
      isAway = true
    }
  }
}

/** Waits until the next read. Returns `false` when the process is to stop. */
async function pause(stop: AbortSignal): Promise<boolean> {
  return sleep(intervalMs, true, { signal: stop }).catch(() => false)
}
