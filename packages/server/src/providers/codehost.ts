import type { CodehostCommits } from './codehosts/commit.ts'
import type { CodehostStatuses } from './codehosts/commit-status.ts'
import type { CodehostDeployments } from './codehosts/deployment.ts'
import type { CodehostHooks } from './codehosts/hooks.ts'
import type { CodehostPullRequests } from './codehosts/pull-request.ts'
import type { CodehostBudget, CodehostPage, CodehostRepository } from './codehosts/repository.ts'
import type { CodehostTestReports } from './codehosts/test-report.ts'
import type { CodehostWaits } from './codehosts/wait.ts'
import type { CodehostWorkflows } from './codehosts/workflow.ts'

/**
 * Asks one account of a code host. It consists of parts; a host has those that it can do. Repositories are named by their numbers.
 * Each call is made once, and is not made inside of a transaction.
 *
 * @throws {ProviderError} from each.
 */
export interface CodehostApi {
  /** As the last answer said; `undefined` before the first. What can wait stays above half of `limit`. */
  budget(): CodehostBudget | undefined
  /** The repositories that the account lets us see. */
  listRepositories(page?: string): Promise<CodehostPage<CodehostRepository>>
  readonly commits: CodehostCommits
  readonly workflows: CodehostWorkflows
  /** Left out: the host has none, so that pipelines report them. */
  readonly deployments?: CodehostDeployments
  readonly pullRequests: CodehostPullRequests
  readonly statuses: CodehostStatuses
  /** Left out: no run of the host waits for an answer. */
  readonly waits?: CodehostWaits
  /** Left out: the host keeps none. */
  readonly testReports?: CodehostTestReports
  /** Left out: the application of this server has one webhook for all repositories, or the host sends none. */
  readonly hooks?: CodehostHooks
}
