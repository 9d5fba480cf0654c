import type { AuthorizationCodes } from '../../../../../sandbox/src/oauth/authorization-codes.ts'
import type { ForgejoActivity } from './activity/create-activity.ts'
import type { ForgejoState } from './state.ts'
import type { ForgejoGrant } from './tokens.ts'
import type { TokenStore } from '../../../../../sandbox/src/oauth/token-store.ts'

/** Holds the parts of the pretended instance that its routes share. */
export interface ForgejoParts {
  readonly state: ForgejoState
  readonly tokens: TokenStore<ForgejoGrant>
  /** Maps logins to the consents of people to the application. */
  readonly authorizations: Map<string, ForgejoGrant>
  readonly codes: AuthorizationCodes<ForgejoGrant>
  readonly activity: ForgejoActivity
}
