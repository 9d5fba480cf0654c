import type { AuthorizationCodes } from '../../../../../sandbox/src/oauth/authorization-codes.ts'
import type { Identify } from './access/identify.ts'
import type { GithubTokens, UserGrant } from './access/token-store.ts'
import type { GithubActivity } from './activity.ts'
import type { AuthorizeForRepository } from './authorize.ts'
import type { EmitGithubEvent } from './emit.ts'
import type { Hooks } from './hooks/create-hooks.ts'
import type { Installations } from './installations.ts'
import type { RateLimits } from './rate-limits.ts'
import type { GithubState } from './state.ts'

/** Holds the parts of the pretended GitHub that its routes share. */
export interface GithubParts {
  readonly state: GithubState
  readonly tokens: GithubTokens
  readonly codes: AuthorizationCodes<UserGrant>
  readonly limits: RateLimits
  readonly hooks: Hooks
  readonly emit: EmitGithubEvent
  readonly installations: Installations
  readonly identify: Identify
  readonly authorize: AuthorizeForRepository
  readonly activity: GithubActivity
}
