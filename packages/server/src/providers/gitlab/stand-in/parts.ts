import type { AuthorizationCodes } from '../../../../../sandbox/src/oauth/authorization-codes.ts'
import type { GitlabHooks } from './hooks/create-hooks.ts'
import type { RateLimits } from './rate-limits.ts'
import type { GitlabState } from './state.ts'
import type { GitlabGrant } from './tokens.ts'
import type { TokenStore } from '../../../../../sandbox/src/oauth/token-store.ts'

/** Holds the parts of the pretended GitLab that its routes share. */
export interface GitlabParts {
  readonly state: GitlabState
  readonly tokens: TokenStore<GitlabGrant>
  readonly codes: AuthorizationCodes<GitlabGrant>
  readonly hooks: GitlabHooks
  readonly limits: RateLimits
}
