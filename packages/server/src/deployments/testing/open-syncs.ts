import { z } from 'zod'
import type { Job, Jobs } from '../../jobs/jobs.ts'
import type { FoundIssue, TrackerApi } from '../../providers/tracker.ts'
import { rawQuery } from '../../store/raw-query.ts'
import type { Tx } from '../../store/store.ts'
import { enrichQueue } from '../commits/enrich-job.ts'
import { deploymentQueues, workDeployments, type DeploymentWorkDeps } from '../jobs.ts'
import { createFakeCodehost, type FakeCodehost } from './fake-codehost.ts'
import { openDeployments, type TestDeployments } from './open-deployments.ts'

export interface FakeTracker extends TrackerApi {
  /** Holds the keys of each call. */
  readonly asked: (readonly string[])[]
  answer: (keys: readonly string[]) => readonly FoundIssue[] | Promise<readonly FoundIssue[]>
}

export interface TestSyncs extends TestDeployments {
  readonly work: DeploymentWorkDeps
  readonly host: FakeCodehost
  readonly tracker: FakeTracker
  clock: Date
  /** For how long deployments are kept. */
  deploymentsKeptMs: number | undefined
  /** Does the jobs that are due, and those they add; one that fails is tried again at once, as often as its queue says. */
  doJobs(options?: { readonly except?: readonly string[] }): Promise<void>
  /** Queue and time of the jobs that wait for a moment to come. */
  waiting(): Promise<{ queue: string; startAfter: Date }[]>
  /** Asked after each commit, as `host.beforeCall` before each call. */
  afterCommit: () => void
  /** Called after a process is killed, before the next one takes its jobs. A test changes the database here. */
  onKilled: () => Promise<void>
  /** Errors of the jobs that were given up. */
  readonly dead: unknown[]
}

/** Thrown in the place of a process that is killed: the job comes back without having failed. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

interface StoredJob {
  readonly id: number
  readonly queue: string
  readonly data: unknown
  readonly attempt: number
}

const keyOf = z.object({ id: z.string() })

async function insertJob(
  tx: Tx,
  of: { queue: string; data: object; key: string | undefined; startAfter: Date },
): Promise<void> {
  await rawQuery(
    tx,
    `insert into pending_jobs (queue, data, key, start_after) values ($1, $2, $3, $4)
      on conflict (queue, key) where state = 'created' do nothing`,
    [of.queue, JSON.stringify(of.data), of.key ?? keyOf.parse(of.data).id, of.startAfter],
  )
}

function createFakeTracker(): FakeTracker {
  const tracker: FakeTracker = {
    siteId: 'site',
    asked: [],
    answer: (keys) => keys.map((key) => ({ key, outcome: 'absent' })),
    findIssues: async (keys) => {
      tracker.asked.push(keys)
      return Promise.resolve(tracker.answer(keys))
    },
    listProjects: () => Promise.resolve({ projects: [], nextPage: undefined }),
  }
  return tracker
}

/** Syncs and enrichment on a real database, with a queue that commits with its transaction and a clock of the test. */
export async function openSyncs(pageSize?: number): Promise<TestSyncs> {
  const app = await openDeployments()
  await app.test.asOwner(
    `create table pending_jobs (id serial primary key, queue text, data json, key text, attempt int default 1,
       state text default 'created', start_after timestamptz);
     create unique index on pending_jobs (queue, key) where state = 'created';
     grant all on pending_jobs to public; grant all on pending_jobs_id_seq to public;`,
  )
  const handlers = new Map<string, (job: Job) => Promise<void>>()
  const now = () => syncs.clock
  const jobs: Pick<Jobs, 'nodeId' | 'enqueue' | 'enqueueAll' | 'work'> = {
    nodeId: 'node',
    enqueue: (tx, queue, data, { key, startAfter = now() } = {}) =>
      insertJob(tx, { queue, data, key, startAfter }),
    async enqueueAll(tx, queue, added) {
      for (const { data, key } of added) {
        await insertJob(tx, { queue, data, key, startAfter: now() })
      }
    },
    work: (queue, handler) => Promise.resolve(void handlers.set(queue, handler)),
  }
  const host = createFakeCodehost(pageSize)
  const tracker = createFakeTracker()
  const syncs: TestSyncs = {
    ...app,
    host,
    tracker,
    clock: new Date('2026-11-21T12:00:00.000Z'),
    deploymentsKeptMs: undefined,
    dead: [],
    afterCommit: () => undefined,
    onKilled: () => Promise.resolve(),
    work: {
      ...app.deps,
      get deploymentsKeptMs() {
        return syncs.deploymentsKeptMs
      },
      store: {
        async transaction(scope, work) {
          const result = await app.test.store.transaction(scope, work)
          syncs.afterCommit()
          return result
        },
        maintenance: (work) => app.test.store.maintenance(work),
      },
      now,
      jobs,
      async emit(tx, event, { orgId, id }) {
        app.emitted.push({ event, id })
        if (event !== 'deployment.changed') return
        await jobs.enqueue(tx, enrichQueue, { orgId, id }, { key: id })
      },
      openCodehost: () => Promise.resolve(host),
      openTracker: () => Promise.resolve(tracker),
      // The host has one webhook for all repositories, so that none is made.
      keys: { getSealer: () => Promise.reject(new Error('Nothing is sealed here')) },
      connectorOf: () => undefined,
      publicUrl: () => 'http://127.0.0.1:4400',
    },
    waiting: () =>
      app.test.asOwner(
        `select queue, start_after as "startAfter" from pending_jobs where start_after > $1 order by id`,
        [now()],
      ),
    async doJobs({ except = [] } = {}) {
      for (;;) {
        const [job] = await app.test.asOwner<StoredJob>(
          `update pending_jobs set state = 'active' where id = (select id from pending_jobs
             where state in ('created', 'retry') and start_after <= $1 and queue <> all ($2) order by id limit 1)
           returning *`,
          [now(), except],
        )
        if (job === undefined) return
        await doJob(job)
      }
    },
  }
  const doJob = async ({ id, queue, data, attempt }: StoredJob) => {
    const retries = deploymentQueues.find(({ name }) => name === queue)?.retries ?? 11
    const signal = new AbortController().signal
    try {
      await handlers.get(queue)?.({ id: String(id), queue, data, attempt, signal })
      await app.test.asOwner('delete from pending_jobs where id = $1', [id])
    } catch (error) {
      const isKilled = error instanceof Killed
      if (isKilled) await syncs.onKilled()
      if (!isKilled && attempt > retries) {
        syncs.dead.push(error)
        await app.test.asOwner('delete from pending_jobs where id = $1', [id])
        return
      }
      const sql = `update pending_jobs set state = 'retry', attempt = attempt + $2 where id = $1`
      await app.test.asOwner(sql, [id, isKilled ? 0 : 1])
    }
  }
  await workDeployments(jobs, syncs.work)
  return syncs
}
