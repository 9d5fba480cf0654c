import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.ts'

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

/** Describes an installation token that was issued. Example: `ghs_2001_…`, more than 200 characters long. */
export interface IssuedInstallationToken extends InstallationGrant {
  readonly token: string
  readonly expiresAt: Date
}

/** Describes a user token that was issued. Example: `ghu_…` with its refresh token `ghr_…`. */
export interface IssuedUserToken extends UserGrant {
  readonly id: number
  readonly token: string
  readonly issuedAt: Date
  expiresAt: Date
  readonly refreshToken: string
  readonly refreshExpiresAt: Date
}

/** Holds the lifetimes of a user token and of its refresh token: 8 hours and 184 days, as GitHub states them. */
export const userTokenSeconds = { access: 28_800, refresh: 15_897_600 } as const

/** Describes the store of installation tokens and user tokens. Its lookups return no token that has expired or was revoked. */
export interface TokenStore {
  issueForInstallation(grant: InstallationGrant): IssuedInstallationToken
  issueForUser(grant: UserGrant): IssuedUserToken
  findInstallationToken(token: string): IssuedInstallationToken | undefined
  findUserToken(token: string): IssuedUserToken | undefined
  /**
   * Uses up a refresh token together with its access token, and returns the grant. Returns `undefined` when the
   * refresh token is not valid.
   */
  takeRefreshToken(refreshToken: string, appId: number): UserGrant | undefined
  revoke(token: string): void
  /** Revokes all tokens that an app has of a user. */
  revokeUser(grant: UserGrant): void
  /** Expires every access token now. Refresh tokens stay valid. */
  expireAll(): void
  reset(): void
}

/** Creates a store in memory. It compares with the clock at each lookup, so that tests can move the time. */
export function createTokenStore(clock: Clock): TokenStore {
  const ofInstallations = new Map<string, IssuedInstallationToken>()
  const ofUsers = new Map<string, IssuedUserToken>()
  let lastId = 0
  const after = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000)
  const isPast = (moment: Date) => clock.now() >= moment
  return {
    issueForInstallation(grant) {
      const token = installationToken(grant.appId)
      const issued = { ...grant, token, expiresAt: after(3600) }
      ofInstallations.set(token, issued)
      return issued
    },
    issueForUser(grant) {
      const issued = {
        ...grant,
        id: (lastId += 1),
        token: `ghu_${letters(36)}`,
        issuedAt: clock.now(),
        expiresAt: after(userTokenSeconds.access),
        refreshToken: `ghr_${letters(76)}`,
        refreshExpiresAt: after(userTokenSeconds.refresh),
      }
      ofUsers.set(issued.token, issued)
      return issued
    },
    findInstallationToken(token) {
      const record = ofInstallations.get(token)
      return record === undefined || isPast(record.expiresAt) ? undefined : record
    },
    findUserToken(token) {
      const record = ofUsers.get(token)
      return record === undefined || isPast(record.expiresAt) ? undefined : record
    },
    takeRefreshToken(refreshToken, appId) {
      const record = [...ofUsers.values()].find((issued) => issued.refreshToken === refreshToken)
      if (record === undefined || record.appId !== appId || isPast(record.refreshExpiresAt)) return
      ofUsers.delete(record.token)
      return { appId, login: record.login }
    },
    revoke(token) {
      ofInstallations.delete(token)
      ofUsers.delete(token)
    },
    revokeUser({ appId, login }) {
      forget(ofUsers, (issued) => issued.appId === appId && issued.login === login)
    },
    expireAll() {
      ofInstallations.clear()
      for (const issued of ofUsers.values()) issued.expiresAt = clock.now()
    },
    reset() {
      ofInstallations.clear()
      ofUsers.clear()
    },
  }
}

function forget<Issued>(tokens: Map<string, Issued>, isGone: (issued: Issued) => boolean): void {
  for (const [token, issued] of tokens) if (isGone(issued)) tokens.delete(token)
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
