import type { ActivityDeps } from '../activity/activity-deps.ts'
import { createDeploymentActivity } from '../activity/create-deployment-activity.ts'
import { addEnvironment } from '../activity/create-repository-activity.ts'
import { covers } from '../access/reach.ts'
import { latestAttemptOf } from '../run-parts.ts'
import { addressesOf } from '../shapes/addresses.ts'
import type {
  GithubAccount,
  GithubApp,
  GithubDeployment,
  GithubRepository,
  GithubRun,
} from '../state.ts'
import { toWaitEvent } from './wait-event.ts'

/** Describes what a job of a run is about to deploy. */
export interface WaitingDeployment {
  readonly run: GithubRun
  readonly environment: string
  readonly creator: GithubAccount
}

/** Protects environments, and has runs wait for the apps that do. */
export interface WaitActivity {
  /** Enables the deployment protection rule of an app for an environment. */
  protectEnvironment(repository: GithubRepository, name: string, app: GithubApp): void
  /**
   * Has a job of a run begin to deploy. Each app that protects the environment is asked, and the run waits until all have let it go on.
   */
  beginDeployment(repository: GithubRepository, of: WaitingDeployment): GithubDeployment
}

/** Creates the activity of deployments that wait on the state of the sandbox. */
export function createWaitActivity(deps: ActivityDeps): WaitActivity {
  const { state, emit } = deps
  const deployments = createDeploymentActivity(deps)
  return {
    protectEnvironment(repository, name, app) {
      addEnvironment(state, repository, name).protectedBy.add(app.id)
    },
    beginDeployment(repository, { run, environment, creator }) {
      const ref = run.pullRequest?.headSha ?? run.headBranch
      const deployment = deployments.deploy(repository, { ref, environment, creator, run })
      const { protectedBy } = addEnvironment(state, repository, environment)
      const attempt = latestAttemptOf(run)
      for (const appId of protectedBy) {
        repository.waits.push({
          appId,
          runId: run.id,
          attempt: attempt.number,
          environment,
          deploymentId: deployment.id,
          comments: [],
          answer: undefined,
        })
        const installation = [...state.installations.values()].find(
          (one) => one.appId === appId && covers(one, repository),
        )
        if (installation === undefined) continue
        const body = toWaitEvent(addressesOf(state), repository, {
          deployment,
          run,
          sender: creator,
        })
        emit({
          name: 'deployment_protection_rule',
          action: 'requested',
          appId,
          installationId: installation.id,
          repository,
          payload: { action: 'requested', ...body },
        })
      }
      if (protectedBy.size > 0) attempt.status = 'waiting'
      return deployment
    },
  }
}
