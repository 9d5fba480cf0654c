import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../../../../sandbox/src/clock.ts'
import {
  createTokenStore,
  type TokenStore,
} from '../../../../../../sandbox/src/oauth/token-store.ts'

/** Describes the grant of an installation token: everything that the installation has, or less. */
export interface InstallationGrant {
  readonly appId: number
  readonly installationId: number
  readonly repositories: 'all' | ReadonlySet<number>
  readonly permissions: Readonly<Record<string, 'read' | 'write'>>
}

/** Describes the authorization that a user gave an app. */
export interface UserGrant {
  readonly appId: number
  readonly login: string
}

/** Holds the lifetimes of a user token and of its refresh token: 8 hours and 184 days, as GitHub states them. */
export const userTokenSeconds = { access: 28_800, refresh: 15_897_600 } as const

/** Holds the tokens of installations, such as `ghs_2001_…`, and of users, such as `ghu_…` with its refresh token `ghr_…`. */
export interface GithubTokens {
  readonly ofInstallations: TokenStore<InstallationGrant>
  readonly ofUsers: TokenStore<UserGrant>
  /** Revokes a token of either kind. */
  revoke(token: string): void
  /** Expires every access token now. Refresh tokens stay valid. */
  expireAll(): void
  reset(): void
}

/** Creates the stores. A renewal ends both tokens of a user that came before. */
export function createGithubTokens(clock: Clock): GithubTokens {
  const ofInstallations = createTokenStore<InstallationGrant>(clock, {
    newAccessToken: ({ appId }) => installationToken(appId),
    accessSeconds: 3_600,
    rotation: () => ({}),
  })
  const ofUsers = createTokenStore<UserGrant>(clock, {
    newAccessToken: () => `ghu_${letters(36)}`,
    newRefreshToken: () => `ghr_${letters(76)}`,
    accessSeconds: userTokenSeconds.access,
    refreshSeconds: userTokenSeconds.refresh,
    rotation: () => ({ endsAccess: true }),
  })
  const both = [ofInstallations, ofUsers]
  return {
    ofInstallations,
    ofUsers,
    revoke(token) {
      for (const part of both) part.revoke(({ accessToken }) => accessToken === token)
    },
    expireAll() {
      for (const part of both) part.expireAll()
    },
    reset() {
      for (const part of both) part.reset()
    },
  }
}

/** Returns `ghs_`, the app and a JWT-like text: long, because clients must not assume a length. */
function installationToken(appId: number): string {
  const parts = [48, 160, 64].map((bytes) => randomBytes(bytes).toString('base64url'))
  return `ghs_${appId}_${parts.join('.')}`
}

/** Returns random letters and digits, as in GitHub's tokens. */
function letters(length: number): string {
  return randomBytes(length * 2)
    .toString('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, length)
}
