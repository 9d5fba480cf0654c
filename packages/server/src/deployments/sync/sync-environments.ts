import { readMapping } from '../environments/read-mapping.ts'
import { lockRepository } from '../codehost/repository-rows.ts'
import { countDone, readMaxOf, type Sync } from './sync.ts'
import type { RecordsApi } from './sync-budget.ts'
import {
  askOfRepository,
  endStep,
  keepSync,
  leaveRepository,
  skipRepository,
  type SyncWork,
} from './sync-work.ts'
import {
  findNextRepository,
  markMissingEnvironments,
  upsertListedEnvironments,
  type SyncedRepository,
} from './synced-rows.ts'

/** Reads all environments of the next repository. Those that the host does not list any more are marked as removed. */
export async function syncEnvironments(work: SyncWork, sync: Sync): Promise<Sync> {
  const { deps, orgId, api } = work
  const { store } = deps
  const repository = await store.transaction({ orgId }, (tx) =>
    findNextRepository(tx, orgId, sync.cursor.after),
  )
  if (repository === undefined) {
    return store.transaction({ orgId }, (tx) => keepSync(tx, orgId, endStep(sync, 'environments')))
  }
  const askedAt = deps.now()
  const reply = await askOfRepository(
    async () => ({
      names: await listNames(api, repository.externalId),
      deployments: await api.deployments?.count(repository.externalId),
    }),
    `the environments of ${repository.fullName}`,
  )
  if ('skipped' in reply) {
    const skipped = skipRepository(sync, repository.id, reply.skipped)
    return store.transaction({ orgId }, (tx) => keepSync(tx, orgId, skipped))
  }
  return keepEnvironments(work, sync, { repository, ...reply.answer, askedAt })
}

const pagesMax = 50

async function listNames({ deployments }: RecordsApi, repositoryId: string): Promise<string[]> {
  const names: string[] = []
  let page: string | undefined
  for (let count = 0; count < pagesMax; count += 1) {
    const { items = [], nextPage } = (await deployments?.listEnvironments(repositoryId, page)) ?? {}
    names.push(...items.map(({ name }) => name))
    if (nextPage === undefined) break
    page = nextPage
  }
  return names
}

interface Listed {
  readonly repository: SyncedRepository
  readonly names: readonly string[]
  /** Counts those that the host has, where it says so. */
  readonly deployments: number | undefined
  readonly askedAt: Date
}

async function keepEnvironments(
  { deps, orgId }: SyncWork,
  sync: Sync,
  { repository, names, deployments, askedAt }: Listed,
): Promise<Sync> {
  return deps.store.transaction({ orgId }, async (tx) => {
    // As everything that maps environments, so that a change of the rules finds what was mapped by the old ones.
    await lockRepository(tx, orgId, repository.id)
    const map = await readMapping(tx, orgId)
    const { id: repositoryId, externalId } = repository
    const environments = names.map((name) => ({ name, mapping: map(name, externalId) }))
    const now = deps.now()
    const expected = sync.cursor.expected + Math.min(deployments ?? 0, readMaxOf(sync))
    await upsertListedEnvironments(tx, orgId, { repositoryId, environments, now })
    await markMissingEnvironments(tx, orgId, { repositoryId, names, askedAt, now })
    return keepSync(tx, orgId, {
      ...sync,
      progress: countDone(sync.progress, 'environments', names.length),
      cursor: leaveRepository({ ...sync.cursor, expected }, repositoryId),
    })
  })
}
