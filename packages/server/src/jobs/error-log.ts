import { performance } from 'node:perf_hooks'
import type { StoreLog } from '../store/log.ts'

const repeatErrorAfterMs = 10_000

/**
 * Returns what logs the failures of the job queue, each kind once in ten seconds: while the database is away every poll
 * fails. pg-boss emits an error, or a plain object of an error and its queue.
 */
export function createErrorLog(log: StoreLog): (error: unknown) => void {
  const loggedAt = new Map<string, number>()
  return (error) => {
    const hasMessage = typeof error === 'object' && error !== null && 'message' in error
    const reason = String(hasMessage ? error.message : error)
    // A worker of pg-boss adds its names, and every worker fails while the database is away.
    const kind = reason.replace(/ \(Queue: [^()]*\)$/, '')
    const moment = performance.now()
    if (moment - (loggedAt.get(kind) ?? -Infinity) < repeatErrorAfterMs) return
    if (loggedAt.size > 100) loggedAt.clear()
    loggedAt.set(kind, moment)
    log.error('The job queue reported an error', { reason })
  }
}
