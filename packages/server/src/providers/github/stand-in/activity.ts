import type { ActivityDeps } from './activity/activity-deps.ts'
import { createCommitActivity, type CommitActivity } from './activity/create-commit-activity.ts'
import {
  createPullRequestActivity,
  type PullRequestActivity,
} from './checks/create-pull-request-activity.ts'
import { createWaitActivity, type WaitActivity } from './checks/create-wait-activity.ts'
import { createIssueActivity, type IssueActivity } from './activity/create-issue-activity.ts'
import {
  createDeploymentActivity,
  type DeploymentActivity,
} from './activity/create-deployment-activity.ts'
import {
  createRepositoryActivity,
  type RepositoryActivity,
} from './activity/create-repository-activity.ts'
import { createRunActivity, type RunActivity } from './activity/create-run-activity.ts'

/**
 * Describes the actions of people and machines at GitHub without its API: they push, deploy, run, rename. Each sends
 * webhooks to the apps.
 */
export interface GithubActivity
  extends
    RepositoryActivity,
    CommitActivity,
    DeploymentActivity,
    RunActivity,
    IssueActivity,
    PullRequestActivity,
    WaitActivity {}

/** Creates every activity on the state of the sandbox. */
export function createActivity(deps: ActivityDeps): GithubActivity {
  return {
    ...createRepositoryActivity(deps),
    ...createCommitActivity(deps),
    ...createDeploymentActivity(deps),
    ...createRunActivity(deps),
    ...createIssueActivity(deps),
    ...createPullRequestActivity(deps),
    ...createWaitActivity(deps),
  }
}
