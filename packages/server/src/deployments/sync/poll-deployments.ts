import { findIntegrationRow } from '../../integrations/rows.ts'
import { isUsable } from '../../integrations/integration.ts'
import { findProvider } from '../../providers/find-provider.ts'
import { recordFoundDeployment } from '../reports/record-codehost-event.ts'
import { leaveHalf } from './sync-budget.ts'
import { askOfRepository, type SyncDeps } from './sync-work.ts'
import { listPolledRepositories, savePolledUntil, type PolledRepository } from './poll-rows.ts'

/** Reads what changed from ten minutes before the last question on: what a host lists may be a little older than what it has. */
const overlapMs = 10 * 60_000
const dayMs = 24 * 3600 * 1000
const pagesMax = 10

/** Returns whether deployments of a provider are asked for every few minutes. */
export function isPolled(name: string): boolean {
  const provider = findProvider(name)
  return provider?.kind === 'codehost' && provider.deployments === 'polled'
}

/**
 * Asks the code host which deployments of each tracked repository have changed since it was last asked, and records them. It tells
 * what no webhook does: an approval that is waited for, and what was lost.
 *
 * @throws {ProviderError} for what concerns the whole account; {BudgetSpent}
 */
export async function pollDeployments(
  deps: SyncDeps,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  signal: AbortSignal,
): Promise<void> {
  const repositories = await deps.store.transaction({ orgId }, async (tx) => {
    const integration = await findIntegrationRow(tx, { orgId, kind: 'codehost' })
    if (integration?.id !== id || !isUsable(integration)) return []
    return isPolled(integration.provider) ? listPolledRepositories(tx, orgId) : []
  })
  if (repositories.length === 0) return
  const api = leaveHalf(await deps.openCodehost(orgId), deps.now)
  for (const repository of repositories) {
    signal.throwIfAborted()
    await pollRepository(deps, { orgId, api, repository })
  }
}

interface Polled {
  readonly orgId: string
  readonly api: ReturnType<typeof leaveHalf>
  readonly repository: PolledRepository
}

async function pollRepository(deps: SyncDeps, { orgId, api, repository }: Polled): Promise<void> {
  const askedAt = deps.now()
  const { externalId, readUntil } = repository
  const since = new Date((readUntil ?? askedAt).getTime() - overlapMs)
  let page: string | undefined
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const current = page
    const reply = await askOfRepository(
      () => api.listDeployments(externalId, current, since),
      `the deployments of ${repository.fullName}`,
    )
    // It is out of reach: the sync of every few hours says so.
    if ('skipped' in reply) return
    for (const deployment of reply.answer.items) {
      const statuses = await api.listStatuses(externalId, deployment.externalId)
      const newsSince = new Date(askedAt.getTime() - dayMs)
      await deps.store.transaction({ orgId }, (tx) =>
        recordFoundDeployment(deps, tx, { orgId, repository, deployment, statuses, newsSince }),
      )
    }
    page = reply.answer.nextPage
    if (page === undefined) break
  }
  await deps.store.transaction({ orgId }, (tx) =>
    savePolledUntil(tx, orgId, { id: repository.id, readUntil: askedAt }),
  )
}
