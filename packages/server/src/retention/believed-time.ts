import type { Store } from '../store/store.ts'
import { dayMs } from '../store/retention-rule.ts'
import type { Log } from '../telemetry/log.ts'

/** Exceeds the pause between two readings of a service that runs, and the time of a restart. */
const toleratedMs = 2 * 3_600_000
/** Limits what one reading adds to the time for which a clock has been ahead: a process that slept has not watched it. */
const watchedMs = 3_600_000

/** Describes what the believed time is read with. */
export interface BelievedTimeDeps {
  readonly store: Pick<Store, 'maintenance'>
  readonly log: Pick<Log, 'warn'>
  readonly now: () => Date
  /** Counts milliseconds whatever happens to the clock. Default: those of this process. */
  readonly elapsed?: () => number
}

/**
 * Returns what reads the time that deletions go by. It is the clock's as long as the clock goes on from where it was. A clock that
 * jumps ahead is believed once it has stood there for a day, measured by what only counts up, over restarts: until then this time
 * goes on from before the jump. A clock that jumps back is believed at once, since it only keeps for longer.
 */
export function createBelievedTime({
  store,
  log,
  now,
  elapsed = () => performance.now(),
}: BelievedTimeDeps): () => Promise<Date> {
  let countedAt = elapsed()
  return async () => {
    const at = now()
    const counted = elapsed()
    const watched = Math.min(counted - countedAt, watchedMs)
    countedAt = counted
    // Of two nodes, each adds only what has passed since the other has read the clock.
    const [row] = await store.maintenance((tx) =>
      tx.query<{ moment: Date; aheadMs: number }>({
        name: 'believe-time',
        text: `update believed_time t set read_at = $1,
            moment = case when b.is_believed then $1 else b.reached end,
            ahead_ms = case when b.is_believed then 0 else b.waited end
          from believed_time o
          cross join lateral (select greatest(0, least($2::float8, extract(epoch from $1::timestamptz - o.read_at)::float8 * 1000)) as passed) p
          cross join lateral (select o.moment + make_interval(secs => p.passed / 1000) as reached, o.ahead_ms + p.passed as waited) r
          cross join lateral (select r.reached, r.waited,
            $1 <= r.reached + make_interval(secs => $3::float8 / 1000) or r.waited >= $4::float8 as is_believed) b
          returning t.moment, t.ahead_ms as "aheadMs"`,
        values: [at, watched, toleratedMs, dayMs],
      }),
    )
    const moment = row?.moment ?? new Date(0)
    if (row === undefined || moment < at) {
      log.warn(
        'The clock has jumped ahead, and nothing is deleted by it until it has stood for a day',
        {
          seconds: Math.round((at.getTime() - moment.getTime()) / 1000),
          afterMs: Math.round(row?.aheadMs ?? 0),
        },
      )
    }
    return moment
  }
}
