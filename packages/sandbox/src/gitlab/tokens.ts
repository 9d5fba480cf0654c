import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
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

/** Describes an issued pair of tokens. Access tokens that people make have no refresh token and no end here. */
export interface GitlabTokens extends GitlabGrant {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly createdAt: Date
  expiresAtMs: number
}

/** Holds the tokens. A pair dies as a whole. */
export interface TokenStore {
  /** Issues an access token for two hours, and a refresh token without an end. */
  issue(grant: GitlabGrant): GitlabTokens
  /** Creates an access token as a person does on the pages of GitLab. Example: `glpat-…`. */
  createAccessToken(user: GitlabUser, scopes: readonly string[]): string
  findByAccess(token: string): GitlabTokens | undefined
  findByRefresh(token: string): GitlabTokens | undefined
  /** Says whether the application has tokens of anybody. */
  hasGrants(clientId: string): boolean
  isExpired(tokens: GitlabTokens): boolean
  /** Ends both tokens at once. */
  revoke(tokens: GitlabTokens): void
  /** Ends everything that the application was granted, as when the person revokes it. */
  revokeApplication(clientId: string): void
  /** Lets every access token of OAuth expire now. */
  expireAll(): void
  reset(): void
}

/** Limits the life of an access token, in seconds. */
export const accessTokenLifetime = 7_200

/** Creates a store without tokens. */
export function createTokenStore(clock: Clock): TokenStore {
  let all: readonly GitlabTokens[] = []
  const add = (tokens: GitlabTokens) => {
    all = [...all, tokens]
    return tokens
  }
  return {
    issue: (grant) =>
      add({
        ...grant,
        accessToken: randomBytes(32).toString('hex'),
        refreshToken: randomBytes(32).toString('hex'),
        createdAt: clock.now(),
        expiresAtMs: clock.now().getTime() + accessTokenLifetime * 1000,
      }),
    createAccessToken: (user, scopes) =>
      add({
        user,
        scopes,
        clientId: undefined,
        redirectUri: undefined,
        accessToken: `glpat-${randomBytes(15).toString('base64url')}`,
        refreshToken: undefined,
        createdAt: clock.now(),
        expiresAtMs: Number.POSITIVE_INFINITY,
      }).accessToken,
    findByAccess: (token) => all.find(({ accessToken }) => accessToken === token),
    findByRefresh: (token) => all.find(({ refreshToken }) => refreshToken === token),
    hasGrants: (id) => all.some(({ clientId }) => clientId === id),
    isExpired: ({ expiresAtMs }) => clock.now().getTime() >= expiresAtMs,
    revoke(tokens) {
      all = all.filter((one) => one !== tokens)
    },
    revokeApplication(clientId) {
      all = all.filter((one) => one.clientId !== clientId)
    },
    expireAll() {
      for (const tokens of all) {
        if (tokens.refreshToken !== undefined) tokens.expiresAtMs = clock.now().getTime()
      }
    },
    reset() {
      all = []
    },
  }
}
