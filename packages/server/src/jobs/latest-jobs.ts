import { setTimeout as delay } from 'node:timers/promises'
import type { Db, JobWithMetadata } from 'pg-boss'
import { latestJobsLock } from '../store/advisory-locks.ts'
import type { Tx } from '../store/store.ts'
import type { QueueDefinition } from './queue.ts'

/** Limits the locks, which keys share: a transaction may add jobs of thousands of keys, and PostgreSQL has room for some thousand locks. */
const locks = 4_096
const lockOf = (text: string) => `${latestJobsLock}, hashtext(${text}) & ${locks - 1}`

const askAgainMs = 20
const patienceMs = 30_000

type TakenJob = Pick<JobWithMetadata, 'name' | 'singletonKey'>

/** Guarantees that a `latest` job sees every change that was committed for it. Does nothing for other queues. */
export interface LatestJobs {
  /**
   * Takes a shared lock before a transaction adds jobs. A transaction that finds a waiting job adds none and relies on that one
   * to see its change, which is not visible before the commit.
   */
  hold(tx: Tx, queue: string, added: readonly { readonly key?: string | undefined }[]): void
  /**
   * Waits, once a job is fetched and before it runs, for the transactions that rely on it. Later ones find no waiting job and
   * add another. It polls the lock instead of queueing for it, so that no transaction that adds a job waits for it.
   *
   * @throws {Error} when such a transaction has not ended after 30 seconds; the job is tried again.
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
