import type { Db } from 'pg-boss'

/** Watches whether scheduled jobs are added, by a counter that only grows, because a clock may be wrong. */
export interface ScheduleWatch {
  /** Checks whether one has been added since the last check. */
  check(): Promise<void>
  /** Returns the seconds since one was added, in this process, or since it began to check. */
  ageSeconds(): number
}

/** Creates a watch that begins now. */
export function createScheduleWatch(
  db: Db,
  elapsed: () => number = () => performance.now(),
): ScheduleWatch {
  let [newest, changedAt] = ['', elapsed()]
  return {
    async check() {
      const { rows } = await db.executeSql(
        `select string_agg(last_job_id::text, ' ' order by name, key) as newest from pgboss.schedule`,
      )
      const current = String(Object(rows[0]).newest)
      if (current === newest) return
      newest = current
      changedAt = elapsed()
    },
    ageSeconds: () => Math.round((elapsed() - changedAt) / 1000),
  }
}
