import { enrichQueue } from '../commits/enrich-job.ts'
import type { CodehostDeployment } from '../../providers/codehosts/deployment.ts'
import type { CodehostPage } from '../../providers/codehosts/repository.ts'
import { recordFoundDeployment } from '../reports/record-codehost-event.ts'
import {
  ageMaxMs,
  countDone,
  deploymentsMax,
  recentSinceOf,
  skip,
  type Sync,
  type SyncCursor,
} from './sync.ts'
import {
  askOfRepository,
  endStep,
  keepSync,
  leaveRepository,
  skipRepository,
  type SyncWork,
} from './sync-work.ts'
import {
  countMissedWebhooks,
  findNextRepository,
  listEndedDeployments,
  listUnenriched,
  type SyncedRepository,
} from './synced-rows.ts'

const none: CodehostPage<CodehostDeployment> = { items: [], nextPage: undefined }

/** Reads a page of the deployments of a repository, newest first, with the statuses of each. */
export async function syncDeployments(work: SyncWork, sync: Sync): Promise<Sync> {
  const { deps, orgId, api } = work
  const repository = await deps.store.transaction({ orgId }, (tx) =>
    findNextRepository(tx, orgId, sync.cursor.after),
  )
  if (repository === undefined) return endSync(work, sync)
  const reply = await askOfRepository(
    async () =>
      (await api.deployments?.list(repository.externalId, sync.cursor.page ?? undefined)) ?? none,
    `the deployments of ${repository.fullName}`,
  )
  if ('skipped' in reply) {
    const skipped = skipRepository(sync, repository.id, reply.skipped)
    return deps.store.transaction({ orgId }, (tx) => keepSync(tx, orgId, skipped))
  }
  return readPage(work, sync, { repository, page: reply.answer })
}

/** Everything has been looked at. */
async function endSync({ deps, orgId }: SyncWork, sync: Sync): Promise<Sync> {
  const { skipped } = sync.cursor
  const ended: Sync = {
    ...endStep(sync, 'deployments'),
    state: 'done',
    detail: skipped.length === 0 ? null : skipped.join(' '),
    finishedAt: deps.now(),
  }
  return deps.store.transaction({ orgId }, (tx) => keepSync(tx, orgId, ended))
}

interface Page {
  readonly repository: SyncedRepository
  readonly page: CodehostPage<CodehostDeployment>
}

async function readPage(work: SyncWork, sync: Sync, of: Page): Promise<Sync> {
  const { deps, orgId } = work
  const { repository, page } = of
  const oldest = sync.startedAt.getTime() - Math.min(ageMaxMs, deps.deploymentsKeptMs ?? ageMaxMs)
  const inReach = page.items.filter(({ createdAt }) => createdAt.getTime() >= oldest)
  const known = await deps.store.transaction({ orgId }, (tx) =>
    sync.depth === 'full'
      ? Promise.resolve<ReadonlySet<string>>(new Set())
      : listEndedDeployments(tx, orgId, { repositoryId: repository.id, deployments: inReach }),
  )
  let current = sync
  for (const deployment of inReach) {
    const { done, before, count } = current.cursor
    const { externalId } = deployment
    if (done.includes(externalId) || before.includes(externalId)) continue
    if (count >= deploymentsMax) break
    if (work.isOver()) return current
    const isKnown = known.has(externalId)
    current = await readDeployment(work, current, { repository, deployment, isKnown })
  }
  return endPage(work, current, { ...of, isLast: inReach.length < page.items.length })
}

/** Stores each deployment together with the sync's position, so that the next job does not fetch it again. */
async function readDeployment(
  { deps, orgId, api, connectedAt }: SyncWork,
  sync: Sync,
  of: {
    readonly repository: SyncedRepository
    readonly deployment: CodehostDeployment
    /** Ended long ago, as far as is known: what happened to it since is not worth a call every few hours. */
    readonly isKnown: boolean
  },
): Promise<Sync> {
  const { repository, deployment, isKnown } = of
  const { externalId } = deployment
  const reply = isKnown
    ? undefined
    : await askOfRepository(
        async () => (await api.deployments?.listStatuses(repository.externalId, externalId)) ?? [],
        `the statuses of deployment ${externalId}`,
      )
  return deps.store.transaction({ orgId }, async (tx) => {
    if (reply !== undefined && 'answer' in reply) {
      const statuses = reply.answer.toReversed()
      const recentSince = recentSinceOf(sync, connectedAt)
      const foundDeployment = { orgId, repository, deployment, statuses, recentSince }
      await recordFoundDeployment(deps, tx, foundDeployment)
    }
    const { count, done } = sync.cursor
    const cursor = { ...sync.cursor, count: count + 1, done: [...done, externalId] }
    return keepSync(tx, orgId, {
      ...sync,
      progress: countDone(sync.progress, 'deployments', 1),
      cursor: reply !== undefined && 'skipped' in reply ? skip(cursor, reply.skipped) : cursor,
    })
  })
}

async function endPage(
  { deps, orgId, connectedAt }: SyncWork,
  sync: Sync,
  { repository, page, isLast }: Page & { readonly isLast: boolean },
): Promise<Sync> {
  const { cursor, progress, startedAt } = sync
  return deps.store.transaction({ orgId }, async (tx) => {
    const missed = await countMissedWebhooks(tx, orgId, {
      repositoryId: repository.id,
      externalIds: cursor.done,
      connectedAt,
      startedAt,
    })
    const counted = { ...progress, missedWebhooks: progress.missedWebhooks + missed }
    const isEnd =
      isLast ||
      page.nextPage === undefined ||
      sync.depth === 'newest' ||
      cursor.count >= deploymentsMax
    if (isEnd) {
      const ids = await listUnenriched(tx, orgId, repository.id)
      const jobs = ids.map((id) => ({ data: { orgId, id }, key: id }))
      await deps.jobs.enqueueAll(tx, enrichQueue, jobs)
    }
    const next: SyncCursor = isEnd
      ? leaveRepository(cursor, repository.id)
      : { ...cursor, page: page.nextPage ?? null, before: cursor.done, done: [] }
    return keepSync(tx, orgId, { ...sync, progress: counted, cursor: next })
  })
}
