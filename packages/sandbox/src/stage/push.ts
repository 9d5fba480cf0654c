import type { StagedDeployment, StagedState } from '../models/code-host.ts'
import type { ScenarioName } from './scenarios.ts'

/** Describes a push of the stage, and its progress. */
export interface Push {
  readonly id: number
  /** Names the code host. Example: `github`. */
  readonly host: string
  readonly scenario: ScenarioName
  readonly at: Date
  /** Names the branch. For a rollback it is the SHA of the older commit. */
  readonly ref: string
  readonly sha: string
  readonly environment: string
  /** Lists whole commit messages, oldest first. Empty: nothing was pushed. */
  readonly messages: readonly string[]
  readonly deployment: StagedDeployment
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
export function stateOf({ deployment }: Pick<Push, 'deployment'>): StagedState {
  return deployment.state()
}
