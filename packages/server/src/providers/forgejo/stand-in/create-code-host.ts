import type { PastDeployment, StagedState } from '../../../../../sandbox/src/models/code-host.ts'
import {
  createStagedHost,
  type StagedDeployments,
  type StagedHost,
  type StagedShop,
} from '../../../../../sandbox/src/models/staged-host.ts'
import type { ForgejoActivity } from './activity/create-activity.ts'
import type { ForgejoHooks } from './hooks.ts'
import { issueUrl } from './issue-shapes.ts'
import { issueJobToken } from './job-identity.ts'
import { getUser } from './seed.ts'
import {
  findRepository,
  type ForgejoRepository,
  type ForgejoRun,
  type ForgejoState,
} from './state.ts'

/** Describes Forgejo as the stage uses it. */
export type ForgejoCodeHost = StagedHost<'forgejo', ForgejoRepository>

/** Describes a deployment. Only the stage knows: the host has no deployments. */
interface Deployed {
  readonly run: ForgejoRun | undefined
  readonly environment: string
  readonly sha: string
  state: StagedState
}

const deploys = { file: 'deploy.yml', name: 'Deploy', inputs: undefined }
const inputNames = [
  'deployment_id',
  'test_run_id',
  'environment',
  'environment_url',
  'sha',
  'config_version',
]

interface CodeHostDeps {
  readonly state: ForgejoState
  readonly activity: ForgejoActivity
  readonly hooks: ForgejoHooks
  readonly isConnected: () => boolean
}

/** Holds what was brought to environments. */
interface Past {
  readonly deployed: Deployed[]
  readonly releases: PastDeployment[]
}

/** Creates the code host of the stage on Forgejo. Its pipelines report deployments to the product themselves. */
export function createCodeHost(deps: CodeHostDeps): ForgejoCodeHost {
  const { hooks, isConnected } = deps
  let past: Past = { deployed: [], releases: [] }
  const host: ForgejoCodeHost = createStagedHost<
    'forgejo',
    ForgejoRepository,
    ForgejoRun,
    Deployed
  >({
    name: 'forgejo',
    title: 'Forgejo',
    runner: 'Forgejo Actions',
    isConnected,
    releases() {
      host.shop()
      return past.releases
    },
    faults: hooks.faults,
    sendLastAgain: () => hooks.sendLastAgain(),
    ...shopOf(deps, () => {
      past = { deployed: [], releases: [] }
    }),
    ...deploymentsOf(deps, () => past),
  })
  return host
}

function shopOf(
  { state, activity }: CodeHostDeps,
  begin: () => void,
): StagedShop<ForgejoRepository> {
  return {
    repositoryOf: (repository) => repository,
    isThere: ({ id }) => state.repositories.has(id),
    openShop(courseOf) {
      begin()
      const existing = findRepository(state, 'acme/shop')
      const repository = existing ?? activity.addRepository({ fullName: 'acme/shop' })
      repository.autoRun = (run) => {
        const course = courseOf({
          sha: run.inputs['sha'] || run.sha,
          attempt: run.attempt,
          testRunId: run.inputs['test_run_id'] ?? '',
          configVersion: run.inputs['config_version'] || undefined,
          issueToken: (audience) => issueJobToken({ state, repository, run, audience }),
          rerun: () => activity.rerun(repository, run),
        })
        return (
          course && {
            ...course,
            get status() {
              return course.end
            },
          }
        )
      }
      activity.setWorkflow(repository, {
        file: 'e2e.yml',
        name: 'E2E',
        runName: 'E2E ${{ inputs.test_run_id }}',
        inputs: inputNames.map((name) => ({ name })),
      })
      activity.setWorkflow(repository, deploys)
      return repository
    },
    push: (repository, branch, change) =>
      activity.push(repository, { branch, user: getUser(state, 'ada'), ...change }),
    propose(repository, proposal) {
      const author = getUser(state, 'ada')
      const { issue, headSha: sha } = activity.openPull(repository, { author, ...proposal })
      return { number: issue.number, sha }
    },
    issues: (repository) =>
      [...repository.issues.values()].flatMap((issue) => {
        const { number, title, isPull } = issue
        return isPull ? [] : [{ number, title, url: issueUrl(state, repository, issue) }]
      }),
    openIssue: (repository, title) =>
      void activity.openIssue(repository, { title, author: getUser(state, 'ada') }),
  }
}

function deploymentsOf(
  { state, activity }: CodeHostDeps,
  past: () => Past,
): StagedDeployments<ForgejoRepository, ForgejoRun, Deployed> {
  return {
    release(_, release) {
      const { environment, sha } = release
      past().deployed.push({ run: undefined, environment, sha, state: 'success' })
      past().releases.push(release)
    },
    deployed: () =>
      past().deployed.map((one) => ({ ...one, hasSucceeded: one.state === 'success' })),
    requestRun: (repository, { isPushed, ref }) =>
      activity.startRun(repository, {
        workflow: deploys,
        ref: isPushed ? ref : repository.defaultBranch,
        user: getUser(state, 'ada'),
      }),
    startRun: (repository, run) => activity.setRunStatus(repository, run, 'running'),
    finishRun: (repository, run, end) => activity.setRunStatus(repository, run, end),
    create(_, { environment, sha, report }, run) {
      const deployment: Deployed = { run, environment, sha, state: 'queued' }
      past().deployed.push(deployment)
      report?.('queued')
      return deployment
    },
    setState(_, deployment, { state: to, order }) {
      deployment.state = to
      order.report?.(to)
    },
    idOf: ({ run }) => run?.index ?? 0,
    stateOf: (deployment) => deployment.state,
  }
}
