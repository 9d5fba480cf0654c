import type { components } from '@octokit/openapi-webhooks-types'
import type { GithubAddresses } from '../shapes/addresses.ts'
import { toDeployment } from '../shapes/deployment.ts'
import { toEventContext } from '../shapes/event-context.ts'
import { repositoryUrl } from '../shapes/repository.ts'
import type { GithubAccount, GithubDeployment, GithubRepository, GithubRun } from '../state.ts'
import { toPullRequest } from './pull-request-shape.ts'

type Requested = components['schemas']['webhook-deployment-protection-rule-requested']

/** Names what GitHub sends beside what its types say: the commit and the branch of the run. */
type Known = Omit<Requested, 'action' | 'deployment' | 'pull_requests'> & {
  readonly deployment: object
  readonly pull_requests: readonly object[]
  readonly sha: string
  readonly ref: string
}

/** Returns the body of `deployment_protection_rule` without the action. As with other events of runs, a fork's pull request is left out. */
export function toWaitEvent(
  addresses: GithubAddresses,
  repository: GithubRepository,
  of: {
    readonly deployment: GithubDeployment
    readonly run: GithubRun
    readonly sender: GithubAccount
  },
) {
  const { deployment, run, sender } = of
  const { pullRequest: pull } = run
  const url = `${repositoryUrl(addresses, repository)}/actions/runs/${run.id}`
  return {
    environment: deployment.environment,
    event: run.event,
    deployment_callback_url: `${url}/deployment_protection_rule`,
    deployment: toDeployment(addresses, repository, deployment),
    pull_requests: pull?.from === repository ? [toPullRequest(addresses, repository, pull)] : [],
    sha: run.headSha,
    ref: run.headBranch,
    ...toEventContext(addresses, repository, sender),
  } satisfies Known
}
