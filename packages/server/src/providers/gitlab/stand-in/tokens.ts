import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../../../sandbox/src/clock.ts'
import { createTokenStore } from '../../../../../sandbox/src/oauth/token-store.ts'
import type { GitlabUser } from './state.ts'

/** Describes what a token allows, and whose it is. */
export interface GitlabGrant {
  readonly user: GitlabUser
  readonly scopes: readonly string[]
  /** Holds the id of the OAuth application. `undefined`: a personal, project or group access token. */
  readonly clientId: string | undefined
  /** Holds the address that the authorization led back to. */
  readonly redirectUri: string | undefined
}

/** Limits the life of an access token. */
export const accessSeconds = 7_200

/** Creates a store without tokens. A refresh token has no end, and its use ends both tokens. */
export function createGitlabTokens(clock: Clock) {
  return createTokenStore<GitlabGrant>(clock, {
    newAccessToken: () => randomBytes(32).toString('hex'),
    newRefreshToken: () => randomBytes(32).toString('hex'),
    accessSeconds,
    rotation: () => ({ endsAccess: true }),
  })
}
