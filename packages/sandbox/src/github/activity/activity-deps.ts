import type { EmitGithubEvent } from '../emit.ts'
import type { GithubState } from '../state.ts'

/** Describes what is changed, and who tells the apps. */
export interface ActivityDeps {
  readonly state: GithubState
  readonly emit: EmitGithubEvent
}
