import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { ForgejoSettings, ForgejoUser } from './state.ts'

/** Describes the one consent of a person to the application. It keeps the scopes that were asked for first. */
export interface ForgejoGrant {
  readonly user: ForgejoUser
  /** Holds the scopes as they were written. Another order is another text. */
  readonly scope: string
  /** Counts the refreshes, so that an older refresh token can be told. */
  counter: number
}

/** Describes whose an access token is, and what it allows. */
export interface ForgejoAccessToken {
  readonly user: ForgejoUser
  /** Lists the scopes. `undefined`: everything that the person may do. */
  readonly scopes: readonly string[] | undefined
  /** Holds the consent that it came from. `undefined`: the person made it. */
  readonly grant: ForgejoGrant | undefined
  readonly expiresAtMs: number
}

/** Holds the answer to an exchange or a refresh. */
export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** Holds consents and tokens. */
export interface TokenStore {
  findGrant(login: string): ForgejoGrant | undefined
  addGrant(user: ForgejoUser, scope: string): ForgejoGrant
  /** Issues an access token for an hour, and a refresh token for thirty days. Those before stay good where the settings say so. */
  issue(grant: ForgejoGrant): IssuedTokens
  /** Returns the consent of a refresh token that is good. */
  findRefreshable(refreshToken: string): ForgejoGrant | undefined
  /** Creates an access token as a person does in the settings. */
  createAccessToken(user: ForgejoUser, scopes: readonly string[]): string
  findByAccess(token: string): ForgejoAccessToken | undefined
  hasGrants(): boolean
  /** Ends all consents and their tokens, as when each person removes the application. */
  revokeGrants(): void
  /** Lets every access token of OAuth expire now. */
  expireAll(): void
  reset(): void
}

/** Limits the life of an access token, in seconds. */
export const accessTokenLifetime = 3_600
const refreshLifetimeMs = 730 * 3_600_000

/** Lists the scopes that are none of the API. With those alone, a token may do everything. */
const openidScopes: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'groups'])

/** Returns the scopes of the API. `undefined`: there is none, so that everything is allowed. */
function apiScopesOf(scope: string): readonly string[] | undefined {
  const scopes = scope.split(' ').filter((one) => one !== '' && !openidScopes.has(one))
  return scopes.length === 0 ? undefined : scopes
}

/** Creates a store without tokens. */
export function createTokenStore(clock: Clock, settings: ForgejoSettings): TokenStore {
  const grants = new Map<string, ForgejoGrant>()
  const access = new Map<string, ForgejoAccessToken>()
  const refresh = new Map<
    string,
    { readonly grant: ForgejoGrant; readonly counter: number; readonly untilMs: number }
  >()
  const isKept = (grant: ForgejoGrant | undefined) =>
    grant === undefined || grants.get(grant.user.login) === grant
  return {
    findGrant: (login) => grants.get(login),
    addGrant(user, scope) {
      const grant = { user, scope, counter: 0 }
      grants.set(user.login, grant)
      return grant
    },
    issue(grant) {
      if (settings.invalidatesRefreshTokens) grant.counter += 1
      const nowMs = clock.now().getTime()
      const accessToken = `access.${randomBytes(24).toString('base64url')}`
      const refreshToken = `refresh.${randomBytes(24).toString('base64url')}`
      access.set(accessToken, {
        user: grant.user,
        scopes: apiScopesOf(grant.scope),
        grant,
        expiresAtMs: nowMs + accessTokenLifetime * 1000,
      })
      const untilMs = nowMs + refreshLifetimeMs
      refresh.set(refreshToken, { grant, counter: grant.counter, untilMs })
      return { accessToken, refreshToken }
    },
    findRefreshable(token) {
      const stored = refresh.get(token)
      if (stored === undefined || !isKept(stored.grant)) return undefined
      if (clock.now().getTime() >= stored.untilMs) return undefined
      const isOld = settings.invalidatesRefreshTokens && stored.counter !== stored.grant.counter
      return isOld ? undefined : stored.grant
    },
    createAccessToken(user, scopes) {
      const token = randomBytes(20).toString('hex')
      access.set(token, { user, scopes, grant: undefined, expiresAtMs: Number.POSITIVE_INFINITY })
      return token
    },
    findByAccess(token) {
      const stored = access.get(token)
      if (stored === undefined || !isKept(stored.grant)) return undefined
      return clock.now().getTime() >= stored.expiresAtMs ? undefined : stored
    },
    hasGrants: () => grants.size > 0,
    revokeGrants: () => grants.clear(),
    expireAll() {
      for (const [token, stored] of access) {
        if (stored.grant !== undefined) access.delete(token)
      }
    },
    reset() {
      for (const part of [grants, access, refresh]) part.clear()
    },
  }
}
