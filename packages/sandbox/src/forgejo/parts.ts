import type { AuthorizationCodes } from '../oauth/authorization-codes.ts'
import type { ForgejoActivity } from './activity/create-activity.ts'
import type { ForgejoState } from './state.ts'
import type { ForgejoGrant, TokenStore } from './tokens.ts'

/** Holds the parts of the pretended instance that its routes share. */
export interface ForgejoParts {
  readonly state: ForgejoState
  readonly tokens: TokenStore
  readonly codes: AuthorizationCodes<ForgejoGrant>
  readonly activity: ForgejoActivity
}
