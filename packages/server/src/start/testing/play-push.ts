import type { Sandbox } from '@signalbox/sandbox'

/** The shop of Acme at the pretended GitHub: a repository with a workflow that tests what was deployed. */
export interface Shop {
  readonly repository: GithubRepository
  /** Pushes commits to main and answers the newest one's SHA. */
  push(...messages: readonly string[]): string
  /** What the code host tells of one deployment of main, from its beginning to its end. */
  deploy(environment: string, states: readonly DeployState[]): string
}

type GithubRepository = ReturnType<Sandbox['github']['activity']['addRepository']>
type DeployState = Parameters<Sandbox['github']['activity']['setDeploymentStatus']>[2]['state']

export function openShop({ github }: Sandbox): Shop {
  const { activity, state } = github
  const [acme, ada] = [state.accounts.get('acme'), state.accounts.get('ada')]
  if (acme === undefined || ada === undefined) throw new Error('The seed has lost its accounts.')
  const shop = activity.addRepository({ owner: acme, name: 'shop' })
  activity.addWorkflow(shop, {
    name: 'End to end',
    file: 'e2e.yml',
    inputs: ['deployment_id', 'test_run_id', 'environment', 'environment_url', 'sha'],
    runName: 'E2E ${{ inputs.test_run_id }}',
    autoRun: { conclusion: 'success' },
  })
  return {
    repository: shop,
    push: (...messages) =>
      activity.push(shop, {
        ref: 'main',
        pusher: ada,
        commits: messages.map((message) => ({ message })),
      }).sha,
    deploy(environment, states) {
      const deployment = activity.deploy(shop, { ref: 'main', creator: ada, environment })
      for (const to of states) {
        activity.setDeploymentStatus(shop, deployment, { state: to, creator: ada })
      }
      return deployment.sha
    },
  }
}
