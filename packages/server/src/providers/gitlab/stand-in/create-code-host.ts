import type { StagedState, TestCourse } from '../../../../../sandbox/src/models/code-host.ts'
import {
  createStagedHost,
  type StagedDeployments,
  type StagedHost,
  type StagedShop,
} from '../../../../../sandbox/src/models/staged-host.ts'
import { getUser, type GitlabActivity } from './activity/create-activity.ts'
import type { GitlabHooks } from './hooks/create-hooks.ts'
import { issueUrl } from './shapes/issue.ts'
import {
  findProject,
  type GitlabAutoRun,
  type GitlabDeployment,
  type GitlabDeploymentStatus,
  type GitlabPipeline,
  type GitlabProject,
  type GitlabState,
  type GitlabUser,
} from './state.ts'

/** Describes the project `acme/shop`, and who pushes to it. */
export interface GitlabShop {
  readonly project: GitlabProject
  readonly ada: GitlabUser
}

/** Describes GitLab as the stage uses it. */
export type GitlabCodeHost = StagedHost<'gitlab', GitlabShop>

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

interface CodeHostDeps {
  readonly state: GitlabState
  readonly activity: GitlabActivity
  readonly hooks: GitlabHooks
  readonly isConnected: () => boolean
}

const deployJob = (environment: string) => [
  { name: `deploy-${environment}`, stage: 'deploy', environment },
]

/** Creates the code host of the stage on GitLab. */
export function createCodeHost(deps: CodeHostDeps): GitlabCodeHost {
  const { hooks, isConnected } = deps
  const host: GitlabCodeHost = createStagedHost<
    'gitlab',
    GitlabShop,
    GitlabPipeline,
    GitlabDeployment
  >({
    name: 'gitlab',
    title: 'GitLab',
    runner: 'GitLab CI',
    isConnected,
    faults: hooks.faults,
    sendLastAgain() {
      const { project } = host.shop()
      const sent = [...project.hooks.values()].flatMap((hook) =>
        hook.events.map((event) => ({ hook, event })),
      )
      const last = sent.toSorted((one, other) => one.event.id - other.event.id).at(-1)
      if (last !== undefined) void hooks.resend(project, last.hook, last.event)
    },
    ...shopOf(deps),
    ...deploymentsOf(deps),
  })
  return host
}

function textOf({ inputs }: GitlabPipeline, name: string): string | undefined {
  const value = inputs[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function toAutoRun(
  activity: GitlabActivity,
  pipeline: GitlabPipeline,
  course: TestCourse,
): GitlabAutoRun {
  const { durationMs, afterwards } = course
  return {
    get status() {
      return course.end === 'success' ? ('success' as const) : ('failed' as const)
    },
    durationMs,
    async lastStep() {
      await course.lastStep()
      const tests = course.cases.map(({ name, seconds, failure }) => ({
        status: failure === undefined ? ('success' as const) : ('failed' as const),
        name,
        classname: 'shop',
        executionTime: seconds,
        ...(failure !== undefined && { systemOutput: failure }),
      }))
      activity.setTestReport(pipeline, tests)
    },
    afterwards,
  }
}

function shopOf({ state, activity }: CodeHostDeps): StagedShop<GitlabShop> {
  // GitLab counts no attempts of a pipeline.
  const attempts = new WeakMap<GitlabPipeline, number>()
  return {
    repositoryOf: ({ project }) => project,
    isThere: ({ project }) => state.projects.has(project.id),
    openShop(courseOf) {
      const existing = findProject(state, 'acme/shop')
      const project = existing ?? activity.addProject({ fullPath: 'acme/shop' })
      project.autoRun = (pipeline) => {
        const attempt = (attempts.get(pipeline) ?? 0) + 1
        attempts.set(pipeline, attempt)
        const course = courseOf({
          sha: textOf(pipeline, 'sha') ?? pipeline.sha,
          attempt,
          testRunId: textOf(pipeline, 'test_run_id') ?? '',
          configVersion: textOf(pipeline, 'config_version'),
          issueToken: undefined,
          rerun: () => activity.retryPipeline(project, pipeline),
        })
        return course && toAutoRun(activity, pipeline, course)
      }
      const names = [
        'deployment_id',
        'test_run_id',
        'environment',
        'environment_url',
        'sha',
        'config_version',
      ]
      activity.setCi(project, {
        inputs: names.map((name) => ({ name, default: '' })),
        workflowName: 'E2E $[[ inputs.test_run_id ]]',
        jobs: [{ name: 'e2e', stage: 'test', environment: undefined }],
      })
      return { project, ada: getUser(state, 'ada') }
    },
    push: ({ project, ada: user }, branch, change) =>
      activity.push(project, { branch, user, ...change }),
    propose({ project, ada: author }, proposal) {
      const { iid: number, headSha: sha } = activity.openMergeRequest(project, {
        author,
        ...proposal,
      })
      return { number, sha }
    },
    issues: ({ project }) =>
      [...project.issues.values()].map((issue) => ({
        number: issue.iid,
        title: issue.title,
        url: issueUrl(state, project, issue),
      })),
    openIssue: ({ project, ada: author }, title) =>
      void activity.openIssue(project, { title, author }),
  }
}

function deploymentsOf({
  activity,
}: CodeHostDeps): StagedDeployments<GitlabShop, GitlabPipeline, GitlabDeployment> {
  return {
    release({ project, ada: user }, { environment, sha }) {
      const jobs = deployJob(environment)
      const pipeline = activity.startPipeline(project, { ref: 'main', user, jobs })
      const made = { ref: 'main', sha, user, environment, pipeline }
      activity.deploy(project, { ...made, status: 'success' })
      activity.setPipelineStatus(project, pipeline, 'success')
    },
    deployed: ({ project }) =>
      [...project.deployments.values()].map(({ environmentId, sha, status }) => ({
        environment: project.environments.get(environmentId)?.name,
        sha,
        hasSucceeded: status === 'success',
      })),
    requestRun: ({ project, ada: user }, { isPushed, ref, environment }) =>
      activity.startPipeline(project, {
        ref: isPushed ? ref : project.defaultBranch,
        user,
        source: isPushed ? 'push' : 'web',
        jobs: deployJob(environment),
      }),
    startRun: ({ project }, pipeline) => activity.setPipelineStatus(project, pipeline, 'running'),
    finishRun: ({ project }, pipeline, end) =>
      activity.setPipelineStatus(project, pipeline, end === 'success' ? 'success' : 'failed'),
    create({ project, ada: user }, { isPushed, environmentUrl, ...order }, pipeline) {
      const ref = isPushed ? order.ref : project.defaultBranch
      const made = { ref, sha: order.sha, environment: order.environment, user }
      const deployment = activity.deploy(
        project,
        pipeline === undefined ? made : { ...made, pipeline },
      )
      const known = project.environments.get(deployment.environmentId)
      if (known !== undefined) known.externalUrl = environmentUrl
      return deployment
    },
    setState: ({ project }, deployment, to) =>
      activity.setDeploymentStatus(project, deployment, toGitlab[to.state]),
    idOf: ({ id }) => id,
    stateOf: ({ status }) => toStaged[status],
  }
}
