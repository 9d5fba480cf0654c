import type {
  CodeHost,
  DeploymentOrder,
  ShopIssues,
  StagedDeployment,
  StagedState,
  StagedTests,
  TestCourse,
} from '../code-host.ts'
import type { GithubActivity } from './activity.ts'
import { findLive, findOlder } from './choose-commit.ts'
import type { Hooks } from './hooks/create-hooks.ts'
import { issuePipelineToken } from './pipeline-identity.ts'
import { addressesOf } from './shapes/addresses.ts'
import { fullNameOf } from './shapes/repository.ts'
import { createShop, type Shop } from './shop.ts'
import type {
  AutoRun,
  DeploymentState,
  GithubApp,
  GithubDeployment,
  GithubRun,
  GithubState,
} from './state.ts'

/** Describes GitHub as the stage uses it, and the repository that it pushes to. */
export interface GithubCodeHost extends CodeHost {
  readonly name: 'github'
  /** Returns the repository `acme/shop`. Opens it when it is not open, with tests that pass. */
  shop(): Shop
}

/** Creates the code host of the stage on GitHub. */
export function createCodeHost(deps: {
  readonly state: GithubState
  readonly activity: GithubActivity
  readonly hooks: Hooks
  /** Returns the app that stands for the product. */
  readonly app: () => GithubApp
}): GithubCodeHost {
  const { state, activity, hooks, app } = deps
  let course: ((tests: StagedTests) => TestCourse) | undefined
  const shop = createShop({
    state,
    activity,
    autoRun: (run) => course && toAutoRun(course(testsOf(run))),
  })
  const testsOf = (run: GithubRun): StagedTests => {
    const { clock, origin } = state
    const { repository, ada } = shop()
    return {
      sha: run.inputs['sha'] ?? run.headSha,
      attempt: run.attempts.length,
      testRunId: run.inputs['test_run_id'] ?? '',
      issueToken: (audience) => issuePipelineToken({ clock, origin, repository, run, audience }),
      rerun: () => activity.rerun(repository, run, ada),
    }
  }
  return {
    name: 'github',
    title: 'GitHub',
    runner: 'GitHub Actions',
    shop,
    isConnected: () => state.installations.size > 0,
    open(decide) {
      course = decide
      shop()
    },
    push(branch, change) {
      const { repository, ada: pusher } = shop()
      return activity.push(repository, { ref: branch, pusher, ...change }).sha
    },
    findOlder: (environment) => findOlder(shop().repository, environment),
    findLive(environment) {
      const { repository } = shop()
      const commit = repository.commits.get(findLive(repository, environment) ?? '')
      return commit && { sha: commit.sha, message: commit.message }
    },
    begin: (order) => beginDeployment(activity, shop(), order),
    ...issuesOf(state, activity, shop),
    faults: hooks.faults,
    sendLastAgain() {
      const [last] = hooks.deliveries.list(app().id)
      if (last !== undefined) hooks.redeliver(last)
    },
  }
}

function issuesOf(state: GithubState, activity: GithubActivity, shop: () => Shop): ShopIssues {
  return {
    issues() {
      const { repository } = shop()
      const { web } = addressesOf(state)
      return [...repository.issues.values()].map(({ number, title }) => ({
        number,
        title,
        url: `${web}/${fullNameOf(repository)}/issues/${number}`,
      }))
    },
    openIssue(title) {
      const { repository, ada: author } = shop()
      activity.openIssue(repository, { title, author })
    },
  }
}

function toAutoRun({ end, durationMs, lastStep, afterwards }: TestCourse): AutoRun {
  return { conclusion: end, durationMs, lastStep, afterwards }
}

function beginDeployment(
  activity: GithubActivity,
  { repository, deploy, ada: creator }: Shop,
  { ref, sha, isPushed, environment, environmentUrl }: DeploymentOrder,
): StagedDeployment {
  let run: GithubRun | undefined
  let deployment: GithubDeployment | undefined
  return {
    id: () => deployment?.id,
    state: () => toStaged(deployment),
    requestRun() {
      run = activity.requestRun(repository, {
        workflow: deploy,
        event: isPushed ? 'push' : 'workflow_dispatch',
        ref: isPushed ? ref : 'main',
        actor: creator,
      })
    },
    startRun() {
      if (run !== undefined) activity.startRun(repository, run)
    },
    create() {
      // GitHub names the branch of a run, and the ref that a person entered: a rollback enters the commit.
      const made = { ref: isPushed ? ref : sha, creator, environment }
      deployment = activity.deploy(repository, run === undefined ? made : { ...made, run })
    },
    setState(state, description) {
      if (deployment === undefined) return
      const address = state === 'success' ? { environmentUrl } : {}
      const status = { state, creator, description, ...address }
      activity.setDeploymentStatus(repository, deployment, status)
    },
    finishRun(end) {
      if (run !== undefined) activity.finishRun(repository, run, end)
    },
  }
}

function toStaged(deployment: GithubDeployment | undefined): StagedState {
  if (deployment === undefined) return 'waiting'
  const state: DeploymentState = deployment.statuses.at(-1)?.state ?? 'queued'
  // A newer success has made it inactive, so it was a success itself.
  if (state === 'inactive') return 'success'
  return state === 'error' ? 'failure' : state
}
