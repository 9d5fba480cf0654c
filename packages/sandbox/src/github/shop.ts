import type { GithubActivity } from './activity.ts'
import type { NewWorkflow } from './activity/create-run-activity.ts'
import {
  findAccount,
  findRepository,
  type GithubAccount,
  type GithubRepository,
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

/** Holds what the shop needs. */
export interface ShopDeps {
  readonly state: GithubState
  readonly activity: GithubActivity
  /** Returns the course of a run of the tests. */
  readonly autoRun: NonNullable<NewWorkflow['autoRun']>
}

/** Opens the shop with some history, so that a rollback has a target. Returns the same one until a reset. */
export function createShop({ state, activity, autoRun }: ShopDeps): () => Shop {
  let open: Shop | undefined
  return () => {
    const ada = accountOf(state, 'ada')
    if (open !== undefined && state.repositories.has(open.repository.id)) return open
    const existing = findRepository(state, 'acme', 'shop')
    const owner = accountOf(state, 'acme')
    const repository = existing ?? activity.addRepository({ owner, name: 'shop' })
    open = {
      repository,
      ada,
      deploy: activity.addWorkflow(repository, { name: 'Deploy', file: 'deploy.yml' }),
      tests: activity.addWorkflow(repository, {
        name: 'End-to-end tests',
        file: 'e2e.yml',
        inputs: ['deployment_id', 'test_run_id', 'environment', 'environment_url', 'sha'],
        runName: 'E2E ${{ inputs.test_run_id }}',
        autoRun,
      }),
    }
    addHistory(activity, open)
    return open
  }
}

/** Adds two releases, which both went to staging and production. */
function addHistory(activity: GithubActivity, { repository, ada }: Shop): void {
  for (const [message, path] of [
    ['ABC-3 Add the new checkout', 'src/checkout/new.ts'],
    ['ABC-1 Count baskets', 'src/basket/count.ts'],
  ] as const) {
    const commits = [{ message, modified: [path] }]
    const { sha } = activity.push(repository, { ref: 'main', pusher: ada, commits })
    for (const environment of ['staging', 'production']) {
      const deployment = activity.deploy(repository, { ref: sha, creator: ada, environment })
      activity.setDeploymentStatus(repository, deployment, { state: 'success', creator: ada })
    }
  }
}

function accountOf(state: GithubState, login: string): GithubAccount {
  const account = findAccount(state, login)
  if (account === undefined) throw new Error(`The seed has lost ${login}.`)
  return account
}
