import { setTimeout as delay } from 'node:timers/promises'
import type { Db, JobWithMetadata } from 'pg-boss'
import { latestJobsLock } from '../store/advisory-locks.ts'
import type { Tx } from '../store/store.ts'
import type { QueueDefinition } from './queue.ts'

/** One transaction may add jobs of thousands of keys, and PostgreSQL has room for some thousand locks: keys share them. */
const locks = 4_096
const lockOf = (text: string) => `${latestJobsLock}, hashtext(${text}) & ${locks - 1}`

const askAgainMs = 20
const patienceMs = 30_000

type TakenJob = Pick<JobWithMetadata, 'name' | 'singletonKey'>

/** Keeps the promise of queues of the latest; for others it does nothing. */
export interface LatestJobs {
  /**
   * Says, before jobs are added, that a transaction changes what they are about. One that finds a job waiting adds none, and
   * counts on that one to see its change; but the change is seen by nobody before the commit.
   */
  hold(tx: Tx, queue: string, added: readonly { readonly key?: string | undefined }[]): void
  /**
   * Waits, once a job is taken and before it is done, for those who counted on it. Whoever comes later finds none waiting
   * and adds another. It asks again and again and never stands in line: nobody who adds a job waits for it.
   *
   * @throws {Error} when somebody has not committed for 30 seconds; the job is tried again.
   */
  settle(job: TakenJob): Promise<void>
}

/** Creates the `LatestJobs` of these queues. */
export function createLatestJobs(queues: readonly QueueDefinition<string>[], db: Db): LatestJobs {
  const latest = new Set(queues.filter(({ order }) => order === 'latest').map(({ name }) => name))
  return {
    hold(tx, queue, added) {
      if (!latest.has(queue)) return
      const text = `select pg_advisory_xact_lock_shared(${lockOf('name')}) from unnest($1::text[]) as name`
      const names = added.map(({ key }) => toName(queue, key))
      tx.send({ name: 'hold-latest-jobs', text, values: [names] })
    },
    async settle({ name: queue, singletonKey: key }) {
      if (!latest.has(queue)) return
      const text = `select pg_try_advisory_xact_lock(${lockOf('$1')}) as free`
      const deadline = performance.now() + patienceMs
      for (;;) {
        const { rows } = await db.executeSql(text, [toName(queue, key)])
        if (rows[0]?.free === true) return
        if (performance.now() > deadline)
          throw new Error('A transaction that changes it does not end')
        await delay(askAgainMs)
      }
    },
  }
}

function toName(queue: string, key: string | null | undefined): string {
  return `${queue} ${key ?? ''}`
}
