import { Problem } from '@signalbox/contract'
import pg from 'pg'

/** Returns the SQLSTATE of an error from PostgreSQL; `undefined` for other errors. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

const unavailableStates = new Set([
  '25P03', // idle in transaction for too long
  '53300', // too many connections
  '55P03', // lock_timeout
  '57014', // statement_timeout
  '57P01', // shut down by an administrator
  '57P02', // crash of another session
  '57P03', // starting or stopping
  '57P05', // idle for too long
])

/** Says that a database, or a host of it, only reads. */
export const readOnlyDetail = 'The database accepts no writes at the moment. Try again soon.'
const unavailableDetail =
  'The database did not answer in time. Repeat the request. With the same Idempotency-Key, Signalbox doesn’t execute it twice.'

function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    const state = error.code ?? ''
    return state.startsWith('08') || unavailableStates.has(state)
  }
  // A query without an answer from PostgreSQL was lost on the way, unless its arguments could not be serialized.
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError)
}

/**
 * Converts an error that the caller can act on, by a retry or by freeing space, into a `Problem`. Returns every other
 * error as it is.
 */
export function toStoreProblem(error: unknown): unknown {
  if (error instanceof Problem) return error
  const state = sqlStateOf(error)
  if (state === '53100') {
    return new Problem('storage_full', 'The database has no space left on its disk.', {
      cause: error,
    })
  }
  const retry = { retryAfterSeconds: 1, cause: error }
  if (state === '25006') return new Problem('read_only', readOnlyDetail, retry)
  return isUnavailable(error) ? new Problem('db_unavailable', unavailableDetail, retry) : error
}
