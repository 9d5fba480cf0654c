import type { Sandbox } from '@signalbox/sandbox'

/** The shop of an account at the pretended GitHub: a repository with a workflow that tests what was deployed. */
export interface Shop {
  readonly repository: GithubRepository
  /** Pushes commits to main and answers the newest one's SHA. */
  push(...messages: readonly string[]): string
  /** Deploys main, and reports these states one after the other. */
  deploy(environment: string, states: readonly DeployState[]): string
  /** Queues a run on main whose jobs deploy. */
  requestRun(): GithubRun
  /** Begins a deployment of main, by a job of a run where one is given, and returns what moves it on. */
  beginDeploy(
    environment: string,
    run?: GithubRun,
  ): {
    readonly sha: string
    readonly moveTo: (state: DeployState) => void
  }
}

type GithubRun = ReturnType<Sandbox['github']['activity']['requestRun']>
type GithubRepository = ReturnType<Sandbox['github']['activity']['addRepository']>
type DeployState = Parameters<Sandbox['github']['activity']['setDeploymentStatus']>[2]['state']

/** Adds the shop of an account. Ada pushes to it and deploys it, whosever it is. */
export function openShop({ github }: Sandbox, account = 'acme'): Shop {
  const { activity, state } = github
  const [owner, ada] = [state.accounts.get(account), state.accounts.get('ada')]
  if (owner === undefined || ada === undefined) throw new Error('The seed has lost its accounts.')
  const shop = activity.addRepository({ owner, name: 'shop' })
  activity.addWorkflow(shop, {
    name: 'End to end',
    file: 'e2e.yml',
    inputs: ['deployment_id', 'test_run_id', 'environment', 'environment_url', 'sha'],
    runName: 'E2E ${{ inputs.test_run_id }}',
    autoRun: { conclusion: 'success' },
  })
  const deploys = activity.addWorkflow(shop, { name: 'Deploy', file: 'deploy.yml' })
  const beginDeploy = (environment: string, run?: GithubRun) => {
    const made = { ref: 'main', creator: ada, environment, ...(run !== undefined && { run }) }
    const deployment = activity.deploy(shop, made)
    const moveTo = (to: DeployState) =>
      void activity.setDeploymentStatus(shop, deployment, { state: to, creator: ada })
    return { sha: deployment.sha, moveTo }
  }
  return {
    repository: shop,
    push: (...messages) =>
      activity.push(shop, {
        ref: 'main',
        pusher: ada,
        commits: messages.map((message) => ({ message })),
      }).sha,
    deploy(environment, states) {
      const { sha, moveTo } = beginDeploy(environment)
      for (const state of states) moveTo(state)
      return sha
    },
    requestRun: () =>
      activity.requestRun(shop, { workflow: deploys, event: 'push', ref: 'main', actor: ada }),
    beginDeploy,
  }
}
