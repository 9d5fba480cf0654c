import { rejections, type Rejection } from '../../replica/guards.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { RefusedError } from './upstream.ts'

/** An upstream that lies does so with each question, and the log is to stay readable. */
const loggedEveryMs = 60_000

/** Creates notes whose counters begin at zero: `increase()` does not see a counter begin at 1. */
export function createRejectionNotes({
  metrics,
  log,
  host,
  now,
}: {
  readonly metrics: Pick<Metrics, 'recordReplicaRefused'>
  readonly log: Pick<Log, 'warn'>
  /** Names the upstream in the log. */
  readonly host: string
  readonly now: () => Date
}) {
  const loggedAtMs = new Map<Rejection, number>()
  for (const reason of rejections) metrics.recordReplicaRefused(reason, 0)
  return {
    /** Notes a failure, if it is a rejection. Others are logged by the loop that met them. */
    note(failure: unknown): void {
      if (!(failure instanceof RefusedError)) return
      const { reason, message } = failure
      metrics.recordReplicaRefused(reason)
      const nowMs = now().getTime()
      const before = loggedAtMs.get(reason)
      if (before !== undefined && nowMs - before < loggedEveryMs) return
      loggedAtMs.set(reason, nowMs)
      log.warn('Refused what the upstream offered', { host, reason, detail: message })
    },
  }
}
