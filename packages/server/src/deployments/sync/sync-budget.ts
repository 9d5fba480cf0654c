import type { CodehostApi } from '../../providers/codehost.ts'
import type { CodehostBudget } from '../../providers/codehosts/repository.ts'

/** Reports that half of the host's rate limit is used, which is all that background work may use. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
  readonly resetsAt: Date

  constructor(resetsAt: Date) {
    super(`Half of the rate limit is used up until ${resetsAt.toISOString()}`)
    this.resetsAt = resetsAt
  }
}

/** Describes the calls that serve records, and nothing that a person waits for. */
export type RecordsApi = Pick<
  CodehostApi,
  'listRepositories' | 'commits' | 'deployments' | 'workflows'
>

/** A comparison has up to a thousand commits, a hundred in each answer. */
const comparisonCost = 10

/**
 * Limits the calls of a host: they are made only as long as more than half of its rate limit is left. The other half is for
 * webhooks, test runs and people.
 *
 * @throws {BudgetSpent} instead of the call.
 */
export function leaveHalf(api: CodehostApi, now: () => Date): RecordsApi {
  const { commits, deployments, workflows } = api
  const guard = (cost: number) => {
    const spent = spentUntil(api.budget(), cost, now())
    if (spent !== undefined) throw new BudgetSpent(spent)
  }
  const guarded =
    <Args extends unknown[], Answer>(cost: number, ask: (...args: Args) => Promise<Answer>) =>
    async (...args: Args) => {
      guard(cost)
      return ask(...args)
    }
  return {
    listRepositories: guarded(1, (page) => api.listRepositories(page)),
    ...(deployments && {
      deployments: {
        listEnvironments: guarded(1, (id, page) => deployments.listEnvironments(id, page)),
        list: guarded(1, (id, page, since) => deployments.list(id, page, since)),
        count: guarded(1, (id) => deployments.count(id)),
        listStatuses: guarded(1, (id, deploymentId) => deployments.listStatuses(id, deploymentId)),
      },
    }),
    commits: {
      compare: guarded(comparisonCost, (id, base, head) => commits.compare(id, base, head)),
      get: guarded(1, (id, sha) => commits.get(id, sha)),
    },
    workflows: {
      ...workflows,
      readInterface: guarded(1, (id, of) => workflows.readInterface(id, of)),
    },
  }
}

/** Until when calls that cost so much have to wait; `undefined`: they need not. */
function spentUntil(budget: CodehostBudget | undefined, cost: number, now: Date): Date | undefined {
  if (budget === undefined || budget.resetsAt <= now) return undefined
  return budget.remaining - cost < budget.limit / 2 ? budget.resetsAt : undefined
}
