import type { EventSubject } from '../../jobs/emit.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { Store } from '../../store/store.ts'
import { enrichCommits, type CommitDeps } from './enrich-commits.ts'
import { enrichIssues, type IssueDeps } from '../issues/enrich-issues.ts'
import { BudgetSpent } from '../sync/sync-budget.ts'

/** Names the queue that completes deployments: their commits, and what the tracker says of the issues they name. */
export const enrichQueue = 'deployments.enrich'

/** Describes what completing deployments works with. */
export interface EnrichDeps extends CommitDeps, IssueDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly jobs: Pick<Jobs, 'enqueue'>
}

/**
 * Fetches the commits of a deployment from the code host, and its issues from the tracker. A failure of one does not
 * prevent the other. When one asks for a pause, another job continues after it, and this does not count as a failed
 * try.
 *
 * @throws when the queue is to try again.
 */
export async function enrichDeployment(deps: EnrichDeps, of: EventSubject): Promise<void> {
  const failures = [
    await failureOf(() => enrichCommits(deps, of)),
    await failureOf(() => enrichIssues(deps, of)),
  ].filter((failure) => failure !== undefined)
  const pauses = failures.flatMap(({ error }) => pauseOf(error) ?? [])
  if (pauses.length > 0) {
    const startAfter = new Date(Math.min(...pauses.map((pause) => pause.getTime())))
    const { orgId, id } = of
    await deps.store.transaction({ orgId }, (tx) =>
      deps.jobs.enqueue(tx, enrichQueue, { orgId, id }, { key: id, startAfter }),
    )
  }
  const failed = failures.find(({ error }) => pauseOf(error) === undefined)
  if (failed !== undefined) throw failed.error
}

async function failureOf(
  work: () => Promise<void>,
): Promise<{ readonly error: unknown } | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return { error }
  }
}

function pauseOf(error: unknown): Date | undefined {
  if (error instanceof BudgetSpent) return error.resetsAt
  return error instanceof ProviderError ? error.retryAt : undefined
}
