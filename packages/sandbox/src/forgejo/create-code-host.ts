import type {
  CodeHost,
  DeploymentOrder,
  PastDeployment,
  ShopIssues,
  StagedDeployment,
  StagedState,
  StagedTests,
  TestCourse,
} from '../code-host.ts'
import type { ForgejoActivity } from './activity/create-activity.ts'
import { reachableFrom } from './history.ts'
import type { ForgejoHooks } from './hooks.ts'
import { issueUrl } from './issue-shapes.ts'
import { issueJobToken } from './job-identity.ts'
import { getUser } from './seed.ts'
import {
  findRepository,
  type ForgejoAutoRun,
  type ForgejoRepository,
  type ForgejoRun,
  type ForgejoState,
} from './state.ts'
import type { TokenStore } from './tokens.ts'

/** Describes Forgejo as the stage uses it, and the repository that it pushes to. */
export interface ForgejoCodeHost extends CodeHost {
  readonly name: 'forgejo'
  /** Returns the repository `acme/shop`. Opens it when it is not open, with tests that pass. */
  shop(): ForgejoRepository
}

/** Describes what was brought to an environment. Only the stage knows: the host has no deployments. */
interface Deployed {
  readonly environment: string
  readonly sha: string
  state: StagedState
}

/** Holds the repository of the stage and what was brought from it to environments. */
interface Shop {
  readonly repository: ForgejoRepository
  readonly deployed: Deployed[]
  readonly releases: PastDeployment[]
}

/** Holds what the code host works with. */
export interface CodeHostDeps {
  readonly state: ForgejoState
  readonly activity: ForgejoActivity
  readonly tokens: Pick<TokenStore, 'hasGrants'>
  readonly hooks: ForgejoHooks
}

const deploys = { file: 'deploy.yml', name: 'Deploy', inputs: undefined }
const inputNames = ['deployment_id', 'test_run_id', 'environment', 'environment_url', 'sha']

/** Creates the code host of the stage on Forgejo. Its pipelines report deployments to the product themselves. */
export function createCodeHost(deps: CodeHostDeps): ForgejoCodeHost {
  const { state, activity, tokens, hooks } = deps
  let course: ((tests: StagedTests) => TestCourse) | undefined
  let open: Shop | undefined
  const openShop = () => {
    if (open !== undefined && state.repositories.has(open.repository.id)) return open
    const existing = findRepository(state, 'acme/shop')
    const repository = existing ?? activity.addRepository({ fullName: 'acme/shop' })
    open = { repository, deployed: [], releases: [] }
    repository.autoRun = (run) => course && toAutoRun(course(testsOf(run)))
    addHistory(deps, open)
    return open
  }
  const testsOf = (run: ForgejoRun): StagedTests => ({
    sha: run.inputs['sha'] || run.sha,
    attempt: run.attempt,
    testRunId: run.inputs['test_run_id'] ?? '',
    issueToken: (audience) =>
      issueJobToken({ state, repository: openShop().repository, run, audience }),
    rerun: () => activity.rerun(openShop().repository, run),
  })
  const findLive = (environment: string) =>
    openShop().deployed.findLast(
      (one) => one.environment === environment && one.state === 'success',
    )
  return {
    name: 'forgejo',
    title: 'Forgejo',
    runner: 'Forgejo Actions',
    shop: () => openShop().repository,
    isConnected: () => tokens.hasGrants(),
    open(decide) {
      course = decide
      openShop()
    },
    push(branch, change) {
      const user = getUser(state, 'ada')
      return activity.push(openShop().repository, { branch, user, ...change }).sha
    },
    findOlder(environment) {
      const { repository, deployed } = openShop()
      const live = findLive(environment)?.sha ?? repository.branches.get('main') ?? ''
      const before = reachableFrom(repository, live)
      const older = deployed.findLast(
        (one) => one.environment === environment && one.sha !== live && before.has(one.sha),
      )
      return older?.sha ?? repository.commits.get(live)?.parents[0] ?? live
    },
    findLive(environment) {
      const commit = openShop().repository.commits.get(findLive(environment)?.sha ?? '')
      return commit && { sha: commit.sha, message: commit.message }
    },
    begin: (order) => beginDeployment(deps, openShop(), order),
    releases: () => openShop().releases,
    ...issuesOf(deps, () => openShop().repository),
    faults: hooks.faults,
    sendLastAgain: () => hooks.sendLastAgain(),
  }
}

function issuesOf({ state, activity }: CodeHostDeps, shop: () => ForgejoRepository): ShopIssues {
  return {
    issues: () =>
      [...shop().issues.values()].flatMap((issue) => {
        const { number, title, isPull } = issue
        return isPull ? [] : [{ number, title, url: issueUrl(state, shop(), issue) }]
      }),
    openIssue(title) {
      activity.openIssue(shop(), { title, author: getUser(state, 'ada') })
    },
  }
}

function toAutoRun({ end, durationMs, lastStep, afterwards }: TestCourse): ForgejoAutoRun {
  return { status: end, durationMs, lastStep, afterwards }
}

function beginDeployment(
  { state, activity }: CodeHostDeps,
  { repository, deployed }: Pick<Shop, 'repository' | 'deployed'>,
  order: DeploymentOrder,
): StagedDeployment {
  const { ref, sha, isPushed, environment, report } = order
  let run: ForgejoRun | undefined
  let deployment: Deployed | undefined
  return {
    id: () => (deployment === undefined ? undefined : run?.index),
    state: () => deployment?.state ?? 'waiting',
    requestRun() {
      const on = isPushed ? ref : repository.defaultBranch
      run = activity.startRun(repository, {
        workflow: deploys,
        ref: on,
        user: getUser(state, 'ada'),
      })
    },
    startRun() {
      if (run !== undefined) activity.setRunStatus(repository, run, 'running')
    },
    create() {
      deployment = { environment, sha, state: 'queued' }
      deployed.push(deployment)
      report?.('queued')
    },
    setState(to) {
      if (deployment === undefined) return
      deployment.state = to
      report?.(to)
    },
    finishRun(end) {
      if (run !== undefined) activity.setRunStatus(repository, run, end)
    },
  }
}

/** Adds the workflow of the tests, and two releases, which both went to staging and production. */
function addHistory(
  { state, activity }: CodeHostDeps,
  { repository, deployed, releases }: Shop,
): void {
  activity.setWorkflow(repository, {
    file: 'e2e.yml',
    name: 'E2E',
    runName: 'E2E ${{ inputs.test_run_id }}',
    inputs: inputNames.map((name) => ({ name })),
  })
  activity.setWorkflow(repository, deploys)
  for (const message of ['ABC-3 Add the new checkout', 'ABC-1 Count baskets']) {
    const user = getUser(state, 'ada')
    const { sha } = activity.push(repository, { branch: 'main', user, commits: [{ message }] })
    for (const environment of ['staging', 'production']) {
      deployed.push({ environment, sha, state: 'success' })
      releases.push({ environment, sha, message })
    }
  }
}
