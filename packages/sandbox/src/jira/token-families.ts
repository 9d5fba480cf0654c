import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'

/** Holds the tokens of one authorization, which come from one refresh after the other. */
interface Family {
  readonly scopes: readonly string[]
  readonly startedMs: number
  killed: boolean
}

interface RefreshToken {
  readonly family: Family
  readonly issuedMs: number
  /** Holds the time of its first use. */
  rotatedMs: number | undefined
  /** Lists its successors: several when it was used again within the leeway. */
  readonly successors: RefreshToken[]
}

interface AccessToken {
  readonly family: Family
  untilMs: number
  /** Holds the refresh token that was issued with it. Both end together. */
  readonly companion: RefreshToken | undefined
}

/** Describes the tokens of a response. */
export interface TokenPair {
  readonly accessToken: string
  /** Holds the refresh token. `undefined` without the scope `offline_access`. */
  readonly refreshToken: string | undefined
  readonly scopes: readonly string[]
}

/**
 * Describes the tokens of Atlassian's OAuth 2.0 (3LO), which rotate.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/
 * @see https://community.developer.atlassian.com/t/54172 for the leeway and the two lifetimes
 * @see https://community.developer.atlassian.com/t/83103 for the end of the old access token
 */
export interface TokenFamilies {
  /** Issues the first tokens of an authorization. */
  start(scopes: readonly string[]): TokenPair
  /** Issues a new pair for a refresh token. Returns `undefined` when the refresh token is not valid, or not any more. */
  refresh(refreshToken: string): TokenPair | undefined
  check(accessToken: string): 'good' | 'expired' | 'refused'
  /** Expires every access token now. Refresh tokens stay valid. */
  expireAll(): void
  /** Revokes every token, as when the account removes the app. */
  killAll(): void
}

/** Holds the lifetime of an access token in seconds. */
export const accessTokenLifetime = 3600

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const leewayMs = 10 * minuteMs
const inactivityMs = 90 * dayMs
const absoluteMs = 365 * dayMs

/** Creates an empty store of tokens, which expire by `clock`. */
export function createTokenFamilies(clock: Clock): TokenFamilies {
  const accessTokens = new Map<string, AccessToken>()
  const refreshTokens = new Map<string, RefreshToken>()
  const nowMs = () => clock.now().getTime()

  function issue(family: Family, from?: RefreshToken): TokenPair {
    const issuedMs = nowMs()
    const companion = family.scopes.includes('offline_access')
      ? { family, issuedMs, rotatedMs: undefined, successors: [] }
      : undefined
    // Real tokens are signed and long. A product with a short column for them fails here first.
    const accessToken = randomBytes(900).toString('base64url')
    const untilMs = issuedMs + accessTokenLifetime * 1000
    accessTokens.set(accessToken, { family, untilMs, companion })
    if (companion === undefined) {
      return { accessToken, refreshToken: undefined, scopes: family.scopes }
    }
    const refreshToken = randomBytes(300).toString('base64url')
    refreshTokens.set(refreshToken, companion)
    from?.successors.push(companion)
    return { accessToken, refreshToken, scopes: family.scopes }
  }

  return {
    start: (scopes) => issue({ scopes, startedMs: nowMs(), killed: false }),
    refresh(refreshToken) {
      const token = refreshTokens.get(refreshToken)
      if (token === undefined || token.family.killed || isOver(token, nowMs())) return undefined
      if (isReuse(token, nowMs())) {
        token.family.killed = true
        return undefined
      }
      token.rotatedMs ??= nowMs()
      return issue(token.family, token)
    },
    check(accessToken) {
      const token = accessTokens.get(accessToken)
      if (token === undefined || token.family.killed) return 'refused'
      if (nowMs() >= token.untilMs) return 'expired'
      return isPastLeeway(token.companion, nowMs()) ? 'refused' : 'good'
    },
    expireAll() {
      for (const token of accessTokens.values()) token.untilMs = nowMs()
    },
    killAll() {
      accessTokens.clear()
      refreshTokens.clear()
    },
  }
}

function isOver({ issuedMs, family }: RefreshToken, nowMs: number): boolean {
  return nowMs - issuedMs >= inactivityMs || nowMs - family.startedMs >= absoluteMs
}

/** Only the token before the newest has the leeway: an older one must be stolen, whatever its age. */
function isReuse(token: RefreshToken, nowMs: number): boolean {
  return (
    isPastLeeway(token, nowMs) || token.successors.some(({ rotatedMs }) => rotatedMs !== undefined)
  )
}

function isPastLeeway(token: RefreshToken | undefined, nowMs: number): boolean {
  return token?.rotatedMs !== undefined && nowMs - token.rotatedMs >= leewayMs
}
