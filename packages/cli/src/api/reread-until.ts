import { setTimeout as delay } from 'node:timers/promises'
import { CliError } from '../terminal/cli-error.ts'

const firstPauseMs = 500
const longestPauseMs = 15_000
/** Ends a wait for a server that has been unreachable for so long. */
const patienceMs = 10 * 60_000

/** Describes an answer that is read until something has become of it. */
interface Awaited<T> {
  readonly first: T
  readonly reread: (
    etag: string | undefined,
  ) => Promise<{ readonly body: T | undefined; readonly etag: string | undefined }>
  /** Holds the moment in milliseconds after which nobody waits any more. */
  readonly deadline: number
  readonly isEnded: (value: T) => boolean
  /** Does what is next, and returns the answer as it is then. */
  readonly advance?: (value: T) => Promise<T>
}

/** Reads an answer again until it has ended, or until the deadline, and returns it as it is then. A server may be away for minutes. */
export async function rereadUntil<T>({
  first,
  reread,
  deadline,
  isEnded,
  advance = (value) => Promise.resolve(value),
}: Awaited<T>): Promise<T> {
  let value = first
  let etag: string | undefined
  let reachedAt = Date.now()
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    value = await advance(value)
    const leftMs = deadline - Date.now()
    if (isEnded(value) || leftMs <= 0) return value
    await delay(Math.min(pauseMs, leftMs))
    try {
      const again = await reread(etag)
      value = again.body ?? value
      etag = again.etag
      reachedAt = Date.now()
    } catch (error) {
      const isAway = error instanceof CliError && error.reason === 'unreachable'
      if (!isAway || Date.now() - reachedAt > patienceMs) throw error
    }
  }
}
