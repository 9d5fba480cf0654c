import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'

/** Describes the tokens of a response. */
export interface LinearPair {
  readonly accessToken: string
  readonly refreshToken: string
  readonly scopes: readonly string[]
}

interface Refresh {
  readonly scopes: readonly string[]
  /** Holds when it was first used, and what it was answered with. */
  used: { readonly atMs: number; readonly pair: LinearPair } | undefined
}

/** Describes the tokens of Linear's OAuth 2.0, which rotate. */
export interface LinearTokens {
  issue(scopes: readonly string[]): LinearPair
  /** Returns `undefined` when the token is not valid. For thirty minutes after its use it gets the same answer. */
  refresh(refreshToken: string): LinearPair | undefined
  isGood(accessToken: string): boolean
  /** Ends a token. Returns whether there was one. */
  revoke(token: string): boolean
  /** Expires every access token now. */
  expireAll(): void
  revokeAll(): void
}

/** Holds the lifetime of an access token in seconds: a day less one. */
export const accessTokenLifetime = 86_399
const replayMs = 30 * 60_000

/** Creates an empty store of tokens, which expire by `clock`. */
export function createLinearTokens(clock: Clock): LinearTokens {
  const accessTokens = new Map<string, number>()
  const refreshTokens = new Map<string, Refresh>()
  const nowMs = () => clock.now().getTime()

  function issue(scopes: readonly string[]): LinearPair {
    const accessToken = `lin_oauth_${randomBytes(32).toString('hex')}`
    const refreshToken = `lin_refresh_${randomBytes(32).toString('hex')}`
    accessTokens.set(accessToken, nowMs() + accessTokenLifetime * 1000)
    refreshTokens.set(refreshToken, { scopes, used: undefined })
    return { accessToken, refreshToken, scopes }
  }

  return {
    issue,
    refresh(refreshToken) {
      const token = refreshTokens.get(refreshToken)
      if (token === undefined) return undefined
      if (token.used !== undefined) {
        return nowMs() - token.used.atMs < replayMs ? token.used.pair : undefined
      }
      token.used = { atMs: nowMs(), pair: issue(token.scopes) }
      return token.used.pair
    },
    isGood: (accessToken) => (accessTokens.get(accessToken) ?? 0) > nowMs(),
    revoke(token) {
      const [wasAccess, wasRefresh] = [accessTokens.delete(token), refreshTokens.delete(token)]
      return wasAccess || wasRefresh
    },
    expireAll() {
      for (const token of accessTokens.keys()) accessTokens.set(token, nowMs())
    },
    revokeAll() {
      accessTokens.clear()
      refreshTokens.clear()
    },
  }
}
