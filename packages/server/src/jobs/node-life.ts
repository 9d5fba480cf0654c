import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from 'pg-boss'

const beatMs = 1_000
/** Tells a clock that has jumped ahead from a machine that was busy. */
const jumpMs = 3 * beatMs
/** Ends the life of a node whose last beat is so old. A node that hangs for less loses nothing. */
const endsAfterMs = 5_000
/** Longer than two refreshes of the heartbeat of a job (`jobHeartbeatSeconds`). */
const silentJobMs = 4_500
const leaveMs = 1_000
/** Counts the beats after an end at which abandoned jobs are looked for: the youngest are silent for too short at first. */
const searchesAfterEnd = 3

/** Sets how often a worker says of a job that it is still at it. */
export const jobHeartbeatSeconds = 2

/** Describes this process among the nodes on the database. */
export interface NodeLife {
  /** Names this life of the node: after a restart it is another. Leases carry it. */
  readonly id: string
  /** Returns the seconds since the database has finished a beat of this node. There is one every second. */
  beatAgeSeconds(): number
  /** Leaves the others immediately, so that nobody waits for the end of this life. */
  close(): Promise<void>
}

/** Describes the options of `openNodeLife`. */
export interface NodeLifeOptions {
  readonly db: Db
  /** True where no other process can use the database: whatever was in hand before is free immediately. */
  readonly isAlone: boolean
  /** Called when jobs of a node that ended were returned to their queues. */
  readonly onFreed: () => void
  /** Called when the database's clock has stepped back, at each beat until it succeeds. */
  readonly onSteppedBack: () => Promise<void>
  readonly onError: (error: unknown) => void
}

const joinSql = 'insert into nodes (id) values (gen_random_uuid()::text) returning id'
const beatSql = `with before as (select seen_at from nodes where id = $1)
  insert into nodes (id) values ($1) on conflict (id) do update set seen_at = clock_timestamp()
  returning (select extract(epoch from clock_timestamp() - seen_at)::float8 * 1000 from before) as "passedMs"`
const leaveSql = `delete from nodes where id = $1`
const endOthersSql = `delete from nodes where id <> $1 and seen_at < clock_timestamp() - make_interval(secs => $2)
  returning id`

/**
 * A job that ends its process again and again waits longer each time, up to twice as long as another that ended with it: together
 * they would end together until both are given up. The last try is left to pg-boss, which then copies the job to the dead letters.
 */
const freeJobsSql = `update pgboss.job set state = 'retry', heartbeat_on = null,
    start_after = now() + (power(2, least(retry_count, 4)) - 1) * 2 * random() * interval '1 second'
  where state = 'active' and retry_count < retry_limit and heartbeat_on < clock_timestamp() - make_interval(secs => $1)
  returning id`

/** After a jump of the clock every job in hand looks old, and pg-boss itself gives away what is in hand for too long. */
const keepJobsSql = `update pgboss.job set started_on = clock_timestamp(), heartbeat_on = clock_timestamp() where state = 'active'`

/**
 * Says every second that this node lives, and ends the lives of those that say it no more: their leases are over then,
 * and their jobs go back to their queues. While the database was away nobody could say anything, so that nobody is ended
 * before it has answered for as long again. Nor when its clock has jumped ahead: what everybody said looks old then.
 */
export async function openNodeLife(options: NodeLifeOptions): Promise<NodeLife> {
  const { db, isAlone, onFreed, onSteppedBack, onError } = options
  const { rows } = await db.executeSql(joinSql)
  const id = String(Object(rows[0]).id)
  const stop = new AbortController()
  const freeJobs = async (silentMs: number) => {
    const { rows } = await db.executeSql(freeJobsSql, [silentMs / 1_000])
    if (rows.length > 0) onFreed()
  }
  const endOthers = async (silentMs: number) =>
    (await db.executeSql(endOthersSql, [id, silentMs / 1_000])).rows.length > 0

  if (isAlone) {
    await endOthers(0)
    await freeJobs(0)
  }
  let answersSince = performance.now()
  let beatenAt = answersSince
  let searches = searchesAfterEnd
  let hasSteppedBack = false
  const beat = async () => {
    const beaten = await db.executeSql(beatSql, [id])
    const now = performance.now()
    // Null where another node has ended this life meanwhile.
    const passedMs = Number(Object(beaten.rows[0]).passedMs ?? now - beatenAt)
    hasSteppedBack ||= passedMs < 0
    const hasJumped = passedMs - (now - beatenAt) > jumpMs
    if (now - beatenAt > jumpMs || hasJumped) answersSince = now
    beatenAt = now
    if (hasJumped) await db.executeSql(keepJobsSql)
    if (hasSteppedBack) await onSteppedBack()
    hasSteppedBack = false
    if (now - answersSince < endsAfterMs) return
    if (await endOthers(endsAfterMs)) searches = searchesAfterEnd
    if (searches === 0) return
    searches -= 1
    await freeJobs(silentJobMs)
  }
  const run = async () => {
    while (!stop.signal.aborted) {
      await delay(beatMs, undefined, { signal: stop.signal }).catch(() => undefined)
      if (!stop.signal.aborted) await beat().catch(onError)
    }
  }
  const running = run()
  return {
    id,
    beatAgeSeconds: () => Math.round((performance.now() - beatenAt) / 1_000),
    async close() {
      stop.abort()
      const left = running.then(() => db.executeSql(leaveSql, [id])).catch(onError)
      // A database that says nothing does not hold up the stop.
      await Promise.race([left, delay(leaveMs, undefined, { ref: false })])
    },
  }
}
