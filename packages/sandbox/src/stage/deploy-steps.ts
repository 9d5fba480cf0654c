import type { GithubActivity } from '../github/activity.ts'
import type { DeploymentState } from '../github/state.ts'
import type { Step } from '../scheduler.ts'
import type { Push } from './push.ts'
import { scenarios } from './scenarios.ts'
import type { Shop } from './shop.ts'

/** Describes a push that is being deployed, and where its steps are reported. */
export interface Deploying {
  readonly activity: GithubActivity
  readonly shop: Shop
  readonly push: Push
  /** Holds the address of the deployed application. */
  readonly environmentUrl: string
}

/** Returns the steps of Actions after a push, with realistic delays: the run, the deployment, and its statuses. */
export function createDeploySteps({ activity, shop, push, environmentUrl }: Deploying): Step[] {
  const { repository, deploy, ada: creator } = shop
  const { environment, ref, sha, scenario } = push
  const { ends } = scenarios[scenario]
  const event = push.messages.length > 0 ? 'push' : 'workflow_dispatch'
  const runRef = event === 'push' ? ref : 'main'
  const runNow = () =>
    activity.requestRun(repository, { workflow: deploy, event, ref: runRef, actor: creator })
  let run: ReturnType<typeof runNow> | undefined
  const emitEvent = (state: DeploymentState, description: string) => () => {
    if (push.deployment === undefined) return
    const address = state === 'success' ? { environmentUrl } : {}
    const status = { state, creator, description, ...address }
    activity.setDeploymentStatus(repository, push.deployment, status)
  }
  return [
    { afterMs: 400, run: () => (run = runNow()) },
    { afterMs: 600, run: () => run && activity.startRun(repository, run) },
    {
      afterMs: 500,
      run() {
        // GitHub names the branch of a run, and the ref that a person entered: a rollback enters the commit.
        const made = { ref: event === 'push' ? ref : sha, creator, environment }
        push.deployment = activity.deploy(repository, run === undefined ? made : { ...made, run })
      },
    },
    { afterMs: 100, run: emitEvent('pending', 'Waiting for a runner') },
    { afterMs: 900, run: emitEvent('in_progress', 'Rolling out') },
    {
      afterMs: 2_500,
      run: emitEvent(ends, ends === 'success' ? 'Live' : 'The new version never responded'),
    },
    { afterMs: 300, run: () => run && activity.finishRun(repository, run, ends) },
  ]
}
