import type { DeploymentState, GithubDeployment } from '../github/state.ts'
import type { ScenarioName } from './scenarios.ts'

/** A push of the stage, and how far it is. */
export interface Push {
  readonly id: number
  readonly scenario: ScenarioName
  readonly at: Date
  /** A branch; of a rollback the SHA that is gone back to. */
  readonly ref: string
  readonly sha: string
  readonly environment: string
  /** Whole messages, oldest first. None: nothing was pushed. */
  readonly messages: readonly string[]
  /** `undefined` until it is made. */
  deployment: GithubDeployment | undefined
  /** True when its steps wait for each other, or run at once. */
  readonly spacing: Spacing
  /** Tries of the tests so far: what each of them came to, or that it runs. */
  readonly tests: string[]
  /** Holds what became of the report that the tests sent; `undefined`: none was sent. */
  report: string | undefined
}

/** `realistic`: seconds lie between the steps. `none`: everything happens before the answer. */
export type Spacing = 'realistic' | 'none'

/** How a deployment stands; `waiting` before it is there. */
export function stateOf({ deployment }: Push): DeploymentState | 'waiting' {
  return deployment === undefined ? 'waiting' : (deployment.statuses.at(-1)?.state ?? 'queued')
}
