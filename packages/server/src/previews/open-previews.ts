import type { ConfigDeps } from '../configs/config-deps.ts'
import type { OpenCodehost } from '../integrations/grants/open-provider.ts'
import { jobSubject } from '../jobs/job-subject.ts'
import type { EventSubject } from '../jobs/emit.ts'
import { lowPriority } from '../jobs/jobs.ts'
import type { QueueDefinition } from '../jobs/queue.ts'
import type { Feature, Kit } from '../kit.ts'
import {
  findRepositoryOfDeployment,
  pageFollowedRepositories,
} from '../read-models/previews/candidate-rows.ts'
import type { SenderDeps } from '../test-runs/reports/authorize-sender.ts'
import { followRepository } from './follow-repository.ts'
import { followQueue, type PreviewDeps } from './preview-deps.ts'
import { mountPreviews } from './routes.ts'

const sweepQueue = 'previews.sweep'

/** Lists the queues that follow pull requests and look for previews that have ended. */
export const previewQueues: readonly QueueDefinition[] = [
  { name: followQueue, order: 'latest', retries: 10, retryDelaySeconds: 5 },
  { name: sweepQueue, retries: 0 },
]

/** Describes what previews need of other features. */
export interface PreviewPorts extends SenderDeps {
  readonly configs: ConfigDeps
  readonly openCodehost: OpenCodehost
}

/** Opens previews: their rules, their endpoints for pipelines, and what makes and ends them. */
export function openPreviews(kit: Kit, ports: PreviewPorts): Feature {
  const { store, jobs, log, now } = kit
  const deps = { store, jobs, log, now, ...ports }
  return {
    mount: (router) => {
      mountPreviews(router, deps)
    },
    async work() {
      await jobs.work(followQueue, ({ data }) => follow(deps, jobSubject.parse(data)))
      await jobs.work(sweepQueue, () => sweepPreviews(deps), lowPriority)
    },
  }
}

async function follow(deps: PreviewDeps, { orgId, id }: EventSubject): Promise<void> {
  const repositoryId = id.startsWith('dep_')
    ? await deps.store.transaction({ orgId }, (tx) => findRepositoryOfDeployment(tx, orgId, id))
    : id
  if (repositoryId !== undefined) await followRepository(deps, { orgId, repositoryId })
}

const pageSize = 500

/**
 * Adds a job for every repository that has previews or may have some: what no event says is seen there, such as that nothing happened
 * for days, or that an environment was deleted at the code host.
 */
export async function sweepPreviews(deps: Pick<PreviewDeps, 'store' | 'jobs'>): Promise<void> {
  let after: { orgId: string; repositoryId: string } | undefined = { orgId: '', repositoryId: '' }
  while (after !== undefined) {
    const last: { orgId: string; repositoryId: string } = after
    after = await deps.store.maintenance(async (tx) => {
      const page = await pageFollowedRepositories(tx, last, pageSize)
      const jobs = page.map(({ orgId, repositoryId: id }) => ({ data: { orgId, id }, key: id }))
      await deps.jobs.enqueueAll(tx, followQueue, jobs)
      return page.length < pageSize ? undefined : page.at(-1)
    })
  }
}
