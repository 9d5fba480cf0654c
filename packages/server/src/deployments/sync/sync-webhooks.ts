import { installHooks } from '../../integrations/webhooks/install-hooks.ts'
import { listTrackedRepositories } from '../codehost/tracked-repository-rows.ts'
import { closeKind, skip, type Sync } from './sync.ts'
import { keepSync, leaveRepository, StepBusy, type SyncWork } from './sync-work.ts'

/**
 * Gives each tracked repository its webhook, at a host that has them per repository. It runs before the deployments are
 * read, so that webhooks report everything from then on. The sync reports problems of the webhooks at its end.
 *
 * @throws {StepBusy} while another worker makes them.
 */
export async function syncWebhooks(work: SyncWork, sync: Sync): Promise<Sync> {
  const { deps, orgId, integrationId, api } = work
  const repositories = await deps.store.transaction({ orgId }, (tx) =>
    listTrackedRepositories(tx, orgId),
  )
  const repositoryIds = repositories.map(({ externalId }) => externalId)
  let current = sync
  const installed = await installHooks(deps, {
    orgId,
    integrationId,
    api,
    repositoryIds,
    async onProgress(done) {
      const webhooks = { done, total: repositoryIds.length }
      current = await keep(work, { ...current, progress: { ...current.progress, webhooks } })
    },
  })
  if (installed.outcome === 'busy') {
    // A job that came to this step by itself knows that no other one of its sync has.
    const mayBeOwn = sync.revision === work.readRevision
    throw new StepBusy('Another worker makes the webhooks', { mayBeOwn })
  }
  const { progress, cursor } = current
  const problem = installed.outcome === 'done' ? installed.problem : null
  const noted = problem === null ? cursor : skip(cursor, problem)
  return keep(work, {
    ...current,
    progress: closeKind(progress, 'webhooks'),
    cursor: leaveRepository({ ...noted, step: 'environments' }, ''),
  })
}

function keep({ deps, orgId }: SyncWork, sync: Sync): Promise<Sync> {
  return deps.store.transaction({ orgId }, (tx) => keepSync(tx, orgId, sync))
}
