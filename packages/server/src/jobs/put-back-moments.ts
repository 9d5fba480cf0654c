import type { Db } from 'pg-boss'
import type { StoreLog } from '../store/log.ts'

/**
 * A moment that is so far ahead was written by a clock that is not this one: it was ahead, and stepped back. Whatever compares
 * it with the time waits as long as the step.
 */
const ahead = `(now() + interval '1 second')`
/** A second ago at most, a node saw the clock step back: what it adds since then comes behind what waited. */
const before = `interval '5 seconds'`
/** No delay of a retry is so long. */
const longestRetry = `interval '1 day'`

/** Turns that are claimed by the time of the last one. The last column is a pause of an hour at most. */
const claims = [
  `update pgboss.version set cron_on = least(cron_on, now()), bam_on = least(bam_on, now()), flow_on = least(flow_on, now()),
      reindex_on = least(reindex_on, now()), monitor_backoff_on = least(monitor_backoff_on, now() + interval '1 hour')
    where greatest(cron_on, bam_on, flow_on, reindex_on, monitor_backoff_on - interval '1 hour') > ${ahead}`,
  `update pgboss.queue set monitor_claim_on = least(monitor_claim_on, now()), monitor_on = least(monitor_on, now()),
      maintain_on = least(maintain_on, now()), delta_on = least(delta_on, now())
    where name in (select name from pgboss.queue where greatest(monitor_claim_on, monitor_on, maintain_on, delta_on) > ${ahead}
      order by name for update skip locked)`,
]

/** Jobs that wait keep their order, also before those that are added from now on, and their delays. */
const waitingJobs = [
  `with found as (select id, name, created_on from pgboss.job where state < 'active' and created_on > ${ahead}
      for update skip locked),
    placed as (select id, name, now() - ${before} - (count(*) over () - row_number() over (order by created_on, id)) * interval '1 microsecond' as at
      from found)
    update pgboss.job j set created_on = p.at, start_after = p.at + (j.start_after - j.created_on),
      keep_until = p.at + (j.keep_until - j.created_on), started_on = least(j.started_on, now())
    from placed p where j.id = p.id and j.name = p.name`,
  `update pgboss.job set started_on = least(started_on, now()),
      start_after = now() + case when started_on > now() then least(start_after - started_on, ${longestRetry}) else interval '0' end
    where (name, id) in (select name, id from pgboss.job where state = 'retry'
      and (started_on > ${ahead} or start_after > now() + ${longestRetry}) for update skip locked)`,
  `update pgboss.job set started_on = least(started_on, now()), heartbeat_on = least(heartbeat_on, now()), created_on = least(created_on, now())
    where (name, id) in (select name, id from pgboss.job where state = 'active'
      and greatest(started_on, heartbeat_on, created_on) > ${ahead} for update skip locked)`,
]

/** Jobs that are done, which are deleted by their age, and the minutes for which schedules have had a job. */
const endedJobs = [
  `update pgboss.job set completed_on = now(), created_on = least(created_on, now()), started_on = least(started_on, now())
    where (name, id) in (select name, id from pgboss.job where state > 'active' and completed_on > ${ahead} for update skip locked)`,
  `update pgboss.job set singleton_on = null
    where (name, id) in (select name, id from pgboss.job where singleton_on > now() at time zone 'UTC' + interval '1 minute' for update skip locked)`,
]

/** Comes last, and not every minute: by what it said, a node that lives sees the clock step back, and puts all moments back. */
const nodes = `update nodes set seen_at = now() where id in (
      select id from nodes where seen_at > ${ahead} order by id for update skip locked)`

/** Names what is looked at: `urgent` leaves out nodes, and jobs that are done, for which there is no index. */
type PutBackWhat = 'urgent' | 'all'

/**
 * Returns what puts moments of the queues and of nodes back that are in the future, and logs how many. Otherwise no scheduled work is
 * added, jobs wait, and nodes that have ended hold what they had, for as long as the clock was ahead. Safe to repeat, and beside other
 * nodes.
 */
export function createPutBack(
  db: Db,
  log: Pick<StoreLog, 'warn'>,
): (what: PutBackWhat) => Promise<void> {
  return async (what) => {
    let count = 0
    const rest = what === 'all' ? [...endedJobs, nodes] : []
    for (const statement of [...claims, ...waitingJobs, ...rest])
      count += (await db.executeSql(`${statement} returning 1`)).rows.length
    if (count > 0) log.warn('Moments in the future were put back: the clock was ahead', { count })
  }
}
