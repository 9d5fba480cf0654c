import { json } from '../../../../../sandbox/src/http/answers.ts'
import type { Route } from '../../../../../sandbox/src/http/route.ts'
import { createActivity } from './activity.ts'
import { createCheckRunRoutes } from './checks/create-check-run-routes.ts'
import { createCommitStatusRoutes } from './checks/create-commit-status-routes.ts'
import { createPullRequestRoutes } from './checks/create-pull-request-routes.ts'
import { createWaitRoutes } from './checks/create-wait-routes.ts'
import type { AuthorizeForRepository } from './authorize.ts'
import type { EmitGithubEvent } from './emit.ts'
import { atEveryAddress } from './routes/at-every-address.ts'
import { createCommentRoutes } from './routes/create-comment-routes.ts'
import { createCommitRoutes } from './routes/create-commit-routes.ts'
import { createContentRoutes } from './routes/create-content-routes.ts'
import { createDeploymentRoutes } from './routes/create-deployment-routes.ts'
import { createEnvironmentRoutes } from './routes/create-environment-routes.ts'
import { createIssueRoutes } from './routes/create-issue-routes.ts'
import { createRunRoutes } from './routes/create-run-routes.ts'
import { createVaultRoutes } from './routes/create-vault-routes.ts'
import { createWorkflowRoutes } from './routes/create-workflow-routes.ts'
import { toRoute } from './routes/repository-route.ts'
import { toRepository } from './shapes/repository.ts'
import type { GithubState } from './state.ts'

/** Creates all routes about a repository, below `/repos/:owner/:repo` and `/repositories/:id`. */
export function createRepositoryRoutes(deps: {
  readonly state: GithubState
  readonly authorize: AuthorizeForRepository
  readonly emit: EmitGithubEvent
}): Route[] {
  const { state, authorize, emit } = deps
  const routeDeps = { state, authorize, activity: createActivity({ state, emit }) }
  return atEveryAddress(routeDeps, [
    toRoute(routeDeps, 'GET ', ['metadata', 'read'], ({ addresses, repository }) =>
      json(toRepository(addresses, repository)),
    ),
    ...createCommentRoutes(routeDeps),
    ...createIssueRoutes(routeDeps),
    ...createPullRequestRoutes(routeDeps),
    // Before the commits, whose refs may have slashes.
    ...createCheckRunRoutes(routeDeps),
    ...createCommitStatusRoutes(routeDeps),
    ...createCommitRoutes(routeDeps),
    ...createContentRoutes(routeDeps),
    ...createDeploymentRoutes(routeDeps),
    // Before the environments, whose names may have slashes.
    ...createVaultRoutes(routeDeps),
    ...createEnvironmentRoutes(routeDeps),
    ...createWorkflowRoutes(routeDeps),
    ...createWaitRoutes(routeDeps),
    ...createRunRoutes(routeDeps),
  ])
}
