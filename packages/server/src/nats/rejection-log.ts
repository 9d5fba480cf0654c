import type * as nats from '@nats-io/transport-node'
import type { Log } from '../telemetry/log.ts'

/** Logs a rejection that goes on again after this time. */
const againMs = 10 * 60_000
/** Limits the kinds that are told apart: a subject may hold anything. */
const kindsMost = 100

/** Creates a log of rejections. Missing rights are told apart by what was to be done, and by the subject without its last part. */
export function createRejectionLog({
  client,
  log,
  elapsedMs,
}: {
  readonly client: Pick<typeof nats, 'errors'>
  readonly log: Pick<Log, 'warn'>
  readonly elapsedMs: () => number
}) {
  const loggedAtMs = new Map<string, number>()
  const isDue = (kind: string): boolean => {
    const nowMs = elapsedMs()
    const before = loggedAtMs.get(kind)
    if (before !== undefined && nowMs - before < againMs) return false
    if (loggedAtMs.size >= kindsMost) loggedAtMs.clear()
    loggedAtMs.set(kind, nowMs)
    return true
  }
  return {
    /** Logs a rejection, unless one of the same kind was logged a while ago: a node asks again each second. */
    note(error: unknown): void {
      if (error instanceof client.errors.PermissionViolationError) {
        const { operation, subject } = error
        if (!isDue(`${operation} ${withoutLastPart(subject)}`)) return
        log.warn(
          'NATS refuses a subject to this user. Compare its permissions with those that signalbox nats-user prints',
          { method: operation, subject },
        )
        return
      }
      const reason = error instanceof Error ? error.message : String(error)
      if (isDue(reason)) log.warn('NATS refused a request', { reason })
    },
  }
}

/** Returns the beginning of a subject, which stays the same from one inbox or object to the next. */
function withoutLastPart(subject: string): string {
  return subject.split('.').slice(0, -1).join('.')
}
