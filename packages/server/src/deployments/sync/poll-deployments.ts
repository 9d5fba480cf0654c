import { findIntegrationRow } from '../../integrations/rows.ts'
import { isUsable } from '../../integrations/integration.ts'
import { findProvider } from '../../providers/find-provider.ts'
import { recordFoundDeployment } from '../reports/record-codehost-event.ts'
import { recentSinceOf } from './sync.ts'
import { leaveHalf, type RecordsApi } from './sync-budget.ts'
import { askOfRepository, type SyncDeps } from './sync-work.ts'
import { listPolledRepositories, savePolledUntil, type PolledRepository } from './poll-rows.ts'

/** Reads what changed from ten minutes before the last question on: what a host lists may be a little older than what it has. */
const overlapMs = 10 * 60_000
/** Reads so much again where it is not known when the last question was. The next one is minutes later. */
const unknownMs = 86_400_000

/** Returns whether deployments of a provider are asked for every few minutes. */
export function isPolled(name: string): boolean {
  const provider = findProvider(name)
  return provider?.kind === 'codehost' && provider.deployments?.known === 'polled'
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
  const { repositories, connectedAt } = await deps.store.transaction({ orgId }, async (tx) => {
    const integration = await findIntegrationRow(tx, { orgId, kind: 'codehost' })
    const isAsked =
      integration?.id === id && isUsable(integration) && isPolled(integration.provider)
    return {
      repositories: isAsked ? await listPolledRepositories(tx, orgId) : [],
      connectedAt: integration?.connectedAt ?? deps.now(),
    }
  })
  if (repositories.length === 0) return
  const { deployments } = leaveHalf(await deps.openCodehost(orgId), deps.now)
  if (deployments === undefined) return
  for (const repository of repositories) {
    await pollRepository(deps, { orgId, deployments, repository, connectedAt, signal })
  }
}

interface Polled {
  readonly orgId: string
  readonly deployments: NonNullable<RecordsApi['deployments']>
  readonly repository: PolledRepository
  readonly connectedAt: Date
  readonly signal: AbortSignal
}

async function pollRepository(
  deps: SyncDeps,
  { orgId, deployments, repository, connectedAt, signal }: Polled,
): Promise<void> {
  const askedAt = deps.now()
  // As in a sync, nothing of before the connection is news.
  const recentSince = recentSinceOf({ startedAt: askedAt }, connectedAt)
  const { externalId, readUntil } = repository
  // A clock that was ahead has saved a moment that is still to come.
  const isAhead = readUntil !== null && readUntil > askedAt
  const since = new Date(
    (readUntil === null || isAhead ? askedAt : readUntil).getTime() -
      (isAhead ? unknownMs : overlapMs),
  )
  let page: string | undefined
  // To the last page, however many there are: nothing asks for the older ones again once the moment is saved.
  do {
    signal.throwIfAborted()
    const current = page
    const reply = await askOfRepository(
      () => deployments.list(externalId, current, since),
      `the deployments of ${repository.fullName}`,
    )
    // It is out of reach: the sync of every few hours says so.
    if ('skipped' in reply) return
    for (const deployment of reply.answer.items) {
      const statuses = await deployments.listStatuses(externalId, deployment.externalId)
      await deps.store.transaction({ orgId }, (tx) =>
        recordFoundDeployment(deps, tx, {
          orgId,
          repository,
          deployment,
          statuses: statuses.toReversed(),
          recentSince,
        }),
      )
    }
    page = reply.answer.nextPage
  } while (page !== undefined)
  await deps.store.transaction({ orgId }, (tx) =>
    savePolledUntil(tx, orgId, { id: repository.id, readUntil: askedAt }),
  )
}
