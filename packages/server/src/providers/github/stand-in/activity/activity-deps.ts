import type { EmitGithubEvent } from '../emit.ts'
import type { GithubState } from '../state.ts'

/** Holds the state to change, and the sender of webhooks. */
export interface ActivityDeps {
  readonly state: GithubState
  readonly emit: EmitGithubEvent
}
