import {
  createStagedHost,
  type StagedDeployments,
  type StagedHost,
  type StagedShop,
} from '../../../../../sandbox/src/models/staged-host.ts'
import type { GithubActivity } from './activity.ts'
import type { Hooks } from './hooks/create-hooks.ts'
import { issuePipelineToken } from './pipeline-identity.ts'
import { addressesOf } from './shapes/addresses.ts'
import { fullNameOf } from './shapes/repository.ts'
import {
  findAccount,
  findRepository,
  type GithubAccount,
  type GithubApp,
  type GithubDeployment,
  type GithubRepository,
  type GithubRun,
  type GithubState,
  type GithubWorkflow,
} from './state.ts'

/** Describes the repository `acme/shop`, its workflows and its pusher. */
export interface Shop {
  readonly repository: GithubRepository
  /** Holds `deploy.yml`, which runs at each push. */
  readonly deploy: GithubWorkflow
  /** Holds `e2e.yml`, which runs when it is dispatched. */
  readonly tests: GithubWorkflow
  /** Holds the account that pushes. */
  readonly ada: GithubAccount
}

/** Describes GitHub as the stage uses it. */
export type GithubCodeHost = StagedHost<'github', Shop>

interface CodeHostDeps {
  readonly state: GithubState
  readonly activity: GithubActivity
  readonly hooks: Hooks
  /** Returns the app that stands for the product. */
  readonly app: () => GithubApp
}

/** Creates the code host of the stage on GitHub. */
export function createCodeHost(deps: CodeHostDeps): GithubCodeHost {
  const { state, hooks, app } = deps
  return createStagedHost<'github', Shop, GithubRun, GithubDeployment>({
    name: 'github',
    title: 'GitHub',
    runner: 'GitHub Actions',
    isConnected: () => state.installations.size > 0,
    faults: hooks.faults,
    sendLastAgain() {
      const [last] = hooks.deliveries.list(app().id)
      if (last !== undefined) hooks.redeliver(last)
    },
    ...shopOf(deps),
    ...deploymentsOf(deps),
  })
}

function accountOf(state: GithubState, login: string): GithubAccount {
  const account = findAccount(state, login)
  if (account === undefined) throw new Error(`The seed has lost ${login}.`)
  return account
}

function shopOf({ state, activity }: CodeHostDeps): StagedShop<Shop> {
  return {
    repositoryOf: ({ repository }) => repository,
    isThere: ({ repository }) => state.repositories.has(repository.id),
    openShop(courseOf) {
      const [ada, owner] = [accountOf(state, 'ada'), accountOf(state, 'acme')]
      const existing = findRepository(state, 'acme', 'shop')
      const repository = existing ?? activity.addRepository({ owner, name: 'shop' })
      const deploy = activity.addWorkflow(repository, { name: 'Deploy', file: 'deploy.yml' })
      const tests = activity.addWorkflow(repository, {
        name: 'End-to-end tests',
        file: 'e2e.yml',
        inputs: [
          'deployment_id',
          'test_run_id',
          'environment',
          'environment_url',
          'sha',
          'config_version',
        ],
        runName: 'E2E ${{ inputs.test_run_id }}',
        autoRun(run) {
          const course = courseOf({
            sha: run.inputs['sha'] ?? run.headSha,
            attempt: run.attempts.length,
            testRunId: run.inputs['test_run_id'] ?? '',
            configVersion: run.inputs['config_version'] || undefined,
            issueToken: (audience) => issuePipelineToken({ state, repository, run, audience }),
            rerun: () => activity.rerun(repository, run, ada),
          })
          return (
            course && {
              ...course,
              get conclusion() {
                return course.end
              },
            }
          )
        },
      })
      return { repository, ada, deploy, tests }
    },
    push: ({ repository, ada: pusher }, ref, change) =>
      activity.push(repository, { ref, pusher, ...change }),
    propose({ repository, ada: author }, proposal) {
      const { number, headSha: sha } = activity.propose(repository, { author, ...proposal })
      return { number, sha }
    },
    issues: ({ repository }) =>
      [...repository.issues.values()].map(({ number, title }) => ({
        number,
        title,
        url: `${addressesOf(state).web}/${fullNameOf(repository)}/issues/${number}`,
      })),
    openIssue: ({ repository, ada: author }, title) =>
      void activity.openIssue(repository, { title, author }),
  }
}

function deploymentsOf({
  activity,
}: CodeHostDeps): StagedDeployments<Shop, GithubRun, GithubDeployment> {
  return {
    release({ repository, ada: creator }, { sha: ref, environment }) {
      const deployment = activity.deploy(repository, { ref, creator, environment })
      activity.setDeploymentStatus(repository, deployment, { state: 'success', creator })
    },
    deployed: ({ repository }) =>
      [...repository.deployments.values()].map(({ environment, sha, statuses }) => ({
        environment,
        sha,
        hasSucceeded: statuses.some(({ state }) => state === 'success'),
      })),
    requestRun: ({ repository, deploy: workflow, ada: actor }, { isPushed, ref }) =>
      activity.requestRun(repository, {
        workflow,
        event: isPushed ? 'push' : 'workflow_dispatch',
        ref: isPushed ? ref : 'main',
        actor,
      }),
    startRun: ({ repository }, run) => activity.startRun(repository, run),
    finishRun: ({ repository }, run, end) => activity.finishRun(repository, run, end),
    create({ repository, ada: creator }, { ref, sha, isPushed, environment }, run) {
      // GitHub names the branch of a run, and the ref that a person entered: a rollback enters the commit.
      const made = { ref: isPushed ? ref : sha, creator, environment }
      return activity.deploy(repository, run === undefined ? made : { ...made, run })
    },
    setState({ repository, ada: creator }, deployment, { state, description, order }) {
      const address = state === 'success' ? { environmentUrl: order.environmentUrl } : {}
      const status = { state, creator, description, ...address }
      activity.setDeploymentStatus(repository, deployment, status)
    },
    idOf: ({ id }) => id,
    stateOf({ statuses }) {
      const state = statuses.at(-1)?.state ?? 'queued'
      // A newer success has made it inactive, so it was a success itself.
      if (state === 'inactive') return 'success'
      return state === 'error' ? 'failure' : state
    },
  }
}
