import type { DeploymentState, GithubDeployment } from '../github/state.ts'
import type { ScenarioName } from './scenarios.ts'

/** Describes a push of the stage, and its progress. */
export interface Push {
  readonly id: number
  readonly scenario: ScenarioName
  readonly at: Date
  /** Names the branch. For a rollback it is the SHA of the older commit. */
  readonly ref: string
  readonly sha: string
  readonly environment: string
  /** Lists whole commit messages, oldest first. Empty: nothing was pushed. */
  readonly messages: readonly string[]
  /** Holds the deployment. `undefined` until it is created. */
  deployment: GithubDeployment | undefined
  /** Names the delays between its steps. */
  readonly spacing: Spacing
  /** Lists the attempts of the tests: the conclusion of each, or that it runs. */
  readonly tests: string[]
  /** Holds how the report of the tests was received. `undefined`: none was sent. */
  report: string | undefined
}

/** Names the pace of a push. `realistic`: seconds lie between the steps. `none`: all of them run before the response. */
export type Spacing = 'realistic' | 'none'

/** Returns the state of a push's deployment. `waiting`: it does not exist yet. */
export function stateOf({ deployment }: Push): DeploymentState | 'waiting' {
  return deployment === undefined ? 'waiting' : (deployment.statuses.at(-1)?.state ?? 'queued')
}
