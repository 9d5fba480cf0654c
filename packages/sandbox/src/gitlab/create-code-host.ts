import type {
  CodeHost,
  DeploymentOrder,
  ShopIssues,
  StagedDeployment,
  StagedState,
  StagedTests,
  TestCourse,
} from '../code-host.ts'
import type { GitlabActivity } from './activity/create-activity.ts'
import { reachableFrom } from './history.ts'
import type { GitlabHooks } from './hooks/create-hooks.ts'
import { issueUrl } from './shapes/issue.ts'
import { createShop, type GitlabShop } from './shop.ts'
import type {
  GitlabAutoRun,
  GitlabDeployment,
  GitlabDeploymentStatus,
  GitlabPipeline,
  GitlabProject,
  GitlabState,
} from './state.ts'
import type { TokenStore } from './tokens.ts'

/** Describes GitLab as the stage uses it, and the project that it pushes to. */
export interface GitlabCodeHost extends CodeHost {
  readonly name: 'gitlab'
  /** Returns the project `acme/shop`. Opens it when it is not open, with tests that pass. */
  shop(): GitlabShop
}

/** Creates the code host of the stage on GitLab. */
export function createCodeHost(deps: {
  readonly state: GitlabState
  readonly activity: GitlabActivity
  readonly tokens: Pick<TokenStore, 'hasGrants'>
  readonly hooks: GitlabHooks
}): GitlabCodeHost {
  const { state, activity, tokens, hooks } = deps
  let course: ((tests: StagedTests) => TestCourse) | undefined
  // GitLab counts no attempts of a pipeline.
  const attempts = new WeakMap<GitlabPipeline, number>()
  const autoRun = (pipeline: GitlabPipeline): GitlabAutoRun | undefined => {
    const attempt = (attempts.get(pipeline) ?? 0) + 1
    attempts.set(pipeline, attempt)
    return course && toAutoRun(activity, pipeline, course(testsOf(pipeline, attempt)))
  }
  const shop = createShop({ state, activity, autoRun })
  const testsOf = (pipeline: GitlabPipeline, attempt: number): StagedTests => ({
    sha: textOf(pipeline, 'sha') ?? pipeline.sha,
    attempt,
    testRunId: textOf(pipeline, 'test_run_id') ?? '',
    issueToken: undefined,
    rerun: () => activity.retryPipeline(shop().project, pipeline),
  })
  return {
    name: 'gitlab',
    title: 'GitLab',
    runner: 'GitLab CI',
    shop,
    isConnected: () => tokens.hasGrants(state.application.clientId),
    open(decide) {
      course = decide
      shop()
    },
    push(branch, change) {
      const { project, ada: user } = shop()
      return activity.push(project, { branch, user, ...change }).id
    },
    findOlder: (environment) => findOlder(shop().project, environment),
    findLive(environment) {
      const { project } = shop()
      const commit = project.commits.get(findLive(project, environment) ?? '')
      return commit && { sha: commit.id, message: commit.message }
    },
    begin: (order) => beginDeployment(activity, shop(), order),
    ...issuesOf(state, activity, shop),
    faults: hooks.faults,
    sendLastAgain() {
      const { project } = shop()
      const sent = [...project.hooks.values()].flatMap((hook) =>
        hook.events.map((event) => ({ hook, event })),
      )
      const last = sent.toSorted((one, other) => one.event.id - other.event.id).at(-1)
      if (last !== undefined) void hooks.resend(project, last.hook, last.event)
    },
  }
}

function issuesOf(
  state: GitlabState,
  activity: GitlabActivity,
  shop: () => GitlabShop,
): ShopIssues {
  return {
    issues() {
      const { project } = shop()
      return [...project.issues.values()].map((issue) => ({
        number: issue.iid,
        title: issue.title,
        url: issueUrl(state, project, issue),
      }))
    },
    openIssue(title) {
      const { project, ada: author } = shop()
      activity.openIssue(project, { title, author })
    },
  }
}

function textOf({ inputs }: GitlabPipeline, name: string): string | undefined {
  const value = inputs[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function toAutoRun(
  activity: GitlabActivity,
  pipeline: GitlabPipeline,
  { end, durationMs, cases, lastStep, afterwards }: TestCourse,
): GitlabAutoRun {
  return {
    status: end === 'success' ? 'success' : 'failed',
    durationMs,
    async lastStep() {
      const tests = cases.map(({ name, seconds, failure }) => ({
        status: failure === undefined ? ('success' as const) : ('failed' as const),
        name,
        classname: 'shop',
        executionTime: seconds,
        ...(failure !== undefined && { systemOutput: failure }),
      }))
      activity.setTestReport(pipeline, tests)
      await lastStep()
    },
    afterwards,
  }
}

const toGitlab = {
  pending: 'created',
  in_progress: 'running',
  success: 'success',
  failure: 'failed',
} as const

const toStaged: Readonly<Record<GitlabDeploymentStatus, StagedState>> = {
  created: 'pending',
  blocked: 'pending',
  running: 'in_progress',
  success: 'success',
  failed: 'failure',
  canceled: 'failure',
  skipped: 'failure',
}

function beginDeployment(
  activity: GitlabActivity,
  { project, ada: user }: GitlabShop,
  { ref, sha, isPushed, environment, environmentUrl }: DeploymentOrder,
): StagedDeployment {
  let pipeline: GitlabPipeline | undefined
  let deployment: GitlabDeployment | undefined
  return {
    id: () => deployment?.id,
    state: () => (deployment === undefined ? 'waiting' : toStaged[deployment.status]),
    requestRun() {
      const jobs = [{ name: `deploy-${environment}`, stage: 'deploy', environment }]
      const source = isPushed ? 'push' : 'web'
      const on = isPushed ? ref : project.defaultBranch
      pipeline = activity.startPipeline(project, { ref: on, user, source, jobs })
    },
    startRun() {
      if (pipeline !== undefined) activity.setPipelineStatus(project, pipeline, 'running')
    },
    create() {
      const made = { ref: isPushed ? ref : project.defaultBranch, sha, environment, user }
      deployment = activity.deploy(project, pipeline === undefined ? made : { ...made, pipeline })
      const known = project.environments.get(deployment.environmentId)
      if (known !== undefined) known.externalUrl = environmentUrl
    },
    setState(state) {
      if (deployment === undefined) return
      activity.setDeploymentStatus(project, deployment, toGitlab[state])
    },
    finishRun(end) {
      if (pipeline === undefined) return
      activity.setPipelineStatus(project, pipeline, end === 'success' ? 'success' : 'failed')
    },
  }
}

function deploymentsIn(project: GitlabProject, environment: string): GitlabDeployment[] {
  return [...project.deployments.values()].filter(
    ({ environmentId }) => project.environments.get(environmentId)?.name === environment,
  )
}

function findLive(project: GitlabProject, environment: string): string | undefined {
  return deploymentsIn(project, environment).findLast(({ status }) => status === 'success')?.sha
}

function findOlder(project: GitlabProject, environment: string): string {
  const live = findLive(project, environment) ?? project.branches.get('main') ?? ''
  const before = reachableFrom(project, live)
  const older = deploymentsIn(project, environment).findLast(
    ({ sha }) => sha !== live && before.has(sha),
  )
  return older?.sha ?? project.commits.get(live)?.parents[0] ?? live
}
