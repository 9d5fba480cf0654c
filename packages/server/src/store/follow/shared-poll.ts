import { Problem } from '@signalbox/contract'
import { setTimeout as delay } from 'node:timers/promises'

/** Limits polls that callers ask for. */
export interface SharedPollLimits {
  /** Passes between the beginnings of two polls. */
  readonly spacingMs: number
  readonly limitMs: number
}

/** Returns the problem of a poll that failed, or took too long. */
type ToProblem = (cause: unknown) => Problem

/**
 * Returns a function that polls once for all who call before the poll begins. What was committed before a call is
 * known when it resolves.
 *
 * @throws {Problem} that of `toProblem`, by default `db_unavailable`, when the poll failed or took longer than `limitMs`.
 */
export function createSharedPoll(
  poll: () => Promise<void>,
  { spacingMs, limitMs }: SharedPollLimits,
  toProblem: ToProblem = toDatabaseProblem,
): () => Promise<void> {
  let begunAt = -Infinity
  let next: Promise<void> | undefined
  const pause = async () => {
    const pauseMs = begunAt + spacingMs - performance.now()
    if (pauseMs > 0) await delay(pauseMs)
  }
  const begin = () => {
    next = undefined
    begunAt = performance.now()
    return withinLimit(poll(), limitMs, toProblem)
  }
  return () => (next ??= pause().then(begin))
}

async function withinLimit(
  polled: Promise<void>,
  limitMs: number,
  toProblem: ToProblem,
): Promise<void> {
  const stop = new AbortController()
  const late = delay(limitMs, undefined, { signal: stop.signal }).then(() => {
    throw new Error('There was no answer in time')
  })
  try {
    await Promise.race([polled, late])
  } catch (cause) {
    throw toProblem(cause)
  } finally {
    stop.abort()
  }
}

function toDatabaseProblem(cause: unknown): Problem {
  const detail = 'The database did not answer, so the server can’t check this. Repeat the request.'
  return new Problem('db_unavailable', detail, { retryAfterSeconds: 1, cause })
}
