import { jobSubject } from '../jobs/job-subject.ts'
import type { QueueDefinition } from '../jobs/queue.ts'
import { repeatTasks } from '../jobs/repeat-tasks.ts'
import type { Feature, Kit } from '../kit.ts'
import type { OpenCodehost } from '../integrations/grants/open-provider.ts'
import type { SenderDeps } from '../test-runs/reports/authorize-sender.ts'
import { reopenReports } from './check-rows.ts'
import { reportQueue } from './check-deps.ts'
import { requestReports } from './compare-checks.ts'
import { recheckDue } from './recheck.ts'
import { mountCommitChecks } from './routes.ts'
import { writeStatus } from './write-status.ts'

const retryQueue = 'commitChecks.reportAgain'

/** Lists the queues of checks. A status that the code host does not take is tried for some hours. */
export const commitCheckQueues: readonly QueueDefinition[] = [
  { name: reportQueue, order: 'latest', retries: 10, retryDelaySeconds: 5 },
  { name: retryQueue, order: 'latest', retryDelaySeconds: 30 },
]

/** Sets how often checks that are due are looked for, in milliseconds. */
const pollEveryMs = 5_000

/** Opens the upload of definitions, their comparison again and again, and the statuses at the code host. */
export function openCommitChecks(
  { store, keys, jobs, closing, publicUrl, log, now }: Kit,
  ports: SenderDeps & { readonly openCodehost: OpenCodehost },
): Feature {
  const deps = { store, keys, jobs, publicUrl, now, ...ports }
  const tasks = [{ everyMs: pollEveryMs, work: () => recheckDue(deps) }]
  return {
    mount: (router) => {
      mountCommitChecks(router, deps)
    },
    async work() {
      await jobs.work(
        reportQueue,
        ({ data, attempt }) => writeStatus(deps, jobSubject.parse(data), attempt > 1),
        { concurrency: 2 },
      )
      await jobs.work(retryQueue, async ({ data }) => {
        const { orgId } = jobSubject.parse(data)
        await store.transaction({ orgId }, async (tx) =>
          requestReports(deps, tx, orgId, await reopenReports(tx, orgId)),
        )
      })
      closing.push(
        repeatTasks(tasks, (error) => {
          log.error('Checks of commits were not compared', { error })
        }),
      )
    },
  }
}
