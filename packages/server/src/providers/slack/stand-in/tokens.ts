import { randomBytes } from 'node:crypto'
import type { SlackState, SlackUser } from './state.ts'

/** Describes a token that Slack has issued, working or not. */
export interface SlackToken {
  readonly value: string
  readonly user: SlackUser
  /** Lists the scopes of the installation. A second authorization adds to them. */
  readonly scopes: ReadonlySet<string>
  /** Holds the expiry. `undefined`: never. */
  expiresAt: Date | undefined
  /** Holds the error of every call with this token. `undefined`: it works. */
  endedBy: 'token_revoked' | 'account_inactive' | undefined
}

/** Describes the tokens of `oauth.v2.access`. */
export interface IssuedToken {
  readonly token: SlackToken
  /** Holds the refresh token. `undefined` without rotation. */
  readonly refreshToken: string | undefined
}

/** Describes the tokens of the one installation in the one workspace. */
export interface SlackTokens {
  /**
   * Without rotation a second authorization returns the existing token, so two products that share a workspace share
   * the token and its revocation (slackapi/bolt-python#969). With rotation each gets a pair of its own.
   */
  issue(user: SlackUser, scopes: readonly string[]): IssuedToken
  /**
   * Issues a new pair and uses up the refresh token, without a grace period. Returns `undefined` when it is unknown,
   * used or revoked.
   */
  refresh(refreshToken: string): IssuedToken | undefined
  find(value: string): SlackToken | undefined
  /** Revokes one token and, with rotation, its refresh token. */
  revoke(token: SlackToken): void
  /** Revokes all tokens, as the removal of the app does. Returns those that worked until then. */
  revokeAll(): readonly SlackToken[]
  /** Expires now every token that has an expiry. */
  expireAll(): void
  /** Returns the scopes that a user has granted the app. `undefined`: the app is not installed. */
  grantedTo(user: SlackUser): ReadonlySet<string> | undefined
  reset(): void
}

/** Holds the lifetime of a token with rotation, `expires_in`: twelve hours (docs.slack.dev, using token rotation). */
export const lifetimeSeconds = 43_200

/** Creates an empty store of tokens: the app is not installed yet. */
export function createSlackTokens({ clock, settings }: SlackState): SlackTokens {
  const tokens = new Map<string, SlackToken>()
  const refreshable = new Map<string, SlackToken>()
  const granted = new Map<string, Set<string>>()

  const works = ({ endedBy, expiresAt }: SlackToken) =>
    endedBy === undefined && (expiresAt === undefined || clock.now() < expiresAt)

  function issueNew(user: SlackUser, scopes: ReadonlySet<string>): IssuedToken {
    const kind = user.botId === undefined ? 'xoxp' : 'xoxb'
    const expiresAt = settings.rotation
      ? new Date(clock.now().getTime() + lifetimeSeconds * 1000)
      : undefined
    const value = settings.rotation ? `xoxe.${kind}-1-${secret(80)}` : `${kind}-${secret(24)}`
    const token: SlackToken = { value, user, scopes, expiresAt, endedBy: undefined }
    tokens.set(value, token)
    if (expiresAt === undefined) return { token, refreshToken: undefined }
    const refreshToken = `xoxe-1-${secret(72)}`
    refreshable.set(refreshToken, token)
    return { token, refreshToken }
  }

  const findLasting = ({ id }: SlackUser) =>
    [...tokens.values()].find(
      (token) => token.user.id === id && token.expiresAt === undefined && works(token),
    )

  return {
    issue(user, scopes) {
      const all = granted.get(user.id) ?? new Set()
      for (const scope of scopes) all.add(scope)
      granted.set(user.id, all)
      const lasting = findLasting(user)
      if (settings.rotation || lasting === undefined) return issueNew(user, all)
      return { token: lasting, refreshToken: undefined }
    },
    refresh(refreshToken) {
      const token = refreshable.get(refreshToken)
      refreshable.delete(refreshToken)
      return token && issueNew(token.user, token.scopes)
    },
    find: (value) => tokens.get(value),
    revoke(token) {
      token.endedBy = 'token_revoked'
      for (const [refreshToken, of] of refreshable) {
        if (of === token) refreshable.delete(refreshToken)
      }
    },
    revokeAll() {
      const working = [...tokens.values()].filter(works)
      for (const token of tokens.values()) token.endedBy ??= 'account_inactive'
      refreshable.clear()
      granted.clear()
      return working
    },
    expireAll: () => expireAt(tokens.values(), clock.now()),
    grantedTo: (user) => granted.get(user.id),
    reset() {
      tokens.clear()
      refreshable.clear()
      granted.clear()
    },
  }
}

function expireAt(tokens: Iterable<SlackToken>, now: Date): void {
  for (const token of tokens) token.expiresAt &&= now
}

function secret(letters: number): string {
  return randomBytes(letters).toString('base64url').replaceAll(/[-_]/g, 'x').slice(0, letters)
}
