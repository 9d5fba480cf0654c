import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../../../sandbox/src/clock.ts'
import { createTokenStore } from '../../../../../sandbox/src/oauth/token-store.ts'
import type { ForgejoSettings, ForgejoUser } from './state.ts'

/** Describes what a token allows, and whose it is. A person has one consent to the application, with the scopes asked for first. */
export interface ForgejoGrant {
  readonly user: ForgejoUser
  /** Lists the scopes. `undefined`: everything that the person may do. */
  readonly scopes: readonly string[] | undefined
  /** Holds the scopes of the consent as they were written. Another order is another text. `undefined`: a person made the token. */
  readonly scope: string | undefined
}

/** Limits the life of an access token. */
export const accessSeconds = 3_600
const refreshSeconds = 730 * 3_600

/** Creates a store without tokens. A renewal leaves the access token good, and the refresh token too where the settings say so. */
export function createForgejoTokens(clock: Clock, settings: ForgejoSettings) {
  return createTokenStore<ForgejoGrant>(clock, {
    newAccessToken: () => `access.${randomBytes(24).toString('base64url')}`,
    newRefreshToken: () => `refresh.${randomBytes(24).toString('base64url')}`,
    accessSeconds,
    refreshSeconds,
    rotation: () => ({ reusableSeconds: settings.invalidatesRefreshTokens ? 0 : Infinity }),
  })
}
