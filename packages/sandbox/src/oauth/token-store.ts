import type { Clock } from '../clock.ts'

/** Describes what becomes of a pair of tokens whose refresh token is used. */
export interface Rotation {
  /** Says for how long the used refresh token may be used again, in seconds. Default 0. */
  readonly reusableSeconds?: number
  /** Says what it then gets: the same pair again, or another one. Default: another. */
  readonly repeats?: true
  /** Says that a use after that, or of one before the last, ends all tokens of the authorization. */
  readonly endsFamily?: true
  /** Says that the access token ends when the refresh token may not be used any more. */
  readonly endsAccess?: true
}

/** Describes the tokens of a provider. */
export interface TokenPolicy<Grant> {
  readonly newAccessToken: (grant: Grant) => string
  /** Returns a refresh token. `undefined`: the grant has none. */
  readonly newRefreshToken?: (grant: Grant) => string | undefined
  readonly accessSeconds: number
  /** Limits the life of a refresh token. Default: it has no end. */
  readonly refreshSeconds?: number
  /** Limits the life of an authorization, however often it is renewed. Default: it has no end. */
  readonly authorizationSeconds?: number
  readonly rotation: () => Rotation
}

/** Describes an access token with the refresh token that came with it. */
export interface IssuedTokens<Grant> {
  readonly grant: Grant
  readonly accessToken: string
  /** `undefined`: it cannot be renewed. */
  readonly refreshToken: string | undefined
  readonly issuedAt: Date
  /** Holds the end of the access token. */
  expiresAtMs: number
}

interface Stored<Grant> extends IssuedTokens<Grant> {
  /** Holds what all pairs of one authorization share. */
  readonly family: { readonly startedMs: number }
  /** Holds the time of the first use of the refresh token. */
  usedMs: number | undefined
  /** Lists what its uses brought. */
  readonly next: Stored<Grant>[]
}

/** Holds tokens. None is returned that was revoked, or that a renewal has ended. */
export interface TokenStore<Grant> {
  issue(grant: Grant): IssuedTokens<Grant>
  /** Adds a token without an end, as a person makes it on the pages of a provider. */
  add(grant: Grant, accessToken: string): void
  /** Renews a pair, if `isFor` allows its grant. `undefined`: the refresh token is not good. */
  refresh(refreshToken: string, isFor?: (grant: Grant) => boolean): IssuedTokens<Grant> | undefined
  /** Finds an access token, expired or not. */
  find(accessToken: string): IssuedTokens<Grant> | undefined
  /** Finds an access token that has not expired. */
  findGood(accessToken: string): IssuedTokens<Grant> | undefined
  isExpired(tokens: IssuedTokens<Grant>): boolean
  /** Says whether there are tokens of a grant. */
  has(isMeant: (grant: Grant) => boolean): boolean
  /** Ends the pairs that are meant. Returns whether there was one. */
  revoke(isMeant: (tokens: IssuedTokens<Grant>) => boolean): boolean
  /** Ends the refresh tokens of a grant, and no access token. */
  useUp(isMeant: (grant: Grant) => boolean): void
  /** Expires now every access token that can be renewed. */
  expireAll(): void
  reset(): void
}

/** Creates a store without tokens. They expire by `clock`. */
export function createTokenStore<Grant>(
  clock: Clock,
  policy: TokenPolicy<Grant>,
): TokenStore<Grant> {
  const { all, keep, add, issue, isUsedUp, isOver, nowMs } = createLedger(clock, policy)
  const isExpired = ({ expiresAtMs }: IssuedTokens<Grant>) => nowMs() >= expiresAtMs
  const find = (accessToken: string) => {
    const tokens = all().find((one) => one.accessToken === accessToken)
    const isEnded = tokens !== undefined && policy.rotation().endsAccess && isUsedUp(tokens)
    return isEnded ? undefined : tokens
  }
  return {
    issue: (grant) => issue(grant),
    add(grant, accessToken) {
      const family = { startedMs: nowMs() }
      add(grant, { accessToken, refreshToken: undefined, expiresAtMs: Infinity, family })
    },
    refresh(refreshToken, isFor = () => true) {
      const tokens = all().find((one) => one.refreshToken === refreshToken)
      if (tokens === undefined || isOver(tokens)) return undefined
      const { endsFamily, repeats } = policy.rotation()
      // Only the one before the newest may be used again: an older one must be stolen, whatever its age.
      const isStolen = endsFamily && tokens.next.some(({ usedMs }) => usedMs !== undefined)
      if (isUsedUp(tokens) || isStolen) {
        if (endsFamily) keep(({ family }) => family !== tokens.family)
        return undefined
      }
      if (!isFor(tokens.grant)) return undefined
      const [before] = tokens.next
      if (repeats && before !== undefined) return before
      tokens.usedMs ??= nowMs()
      const next = issue(tokens.grant, tokens.family)
      tokens.next.push(next)
      return next
    },
    find,
    findGood(accessToken) {
      const tokens = find(accessToken)
      return tokens === undefined || isExpired(tokens) ? undefined : tokens
    },
    isExpired,
    has: (isMeant) => all().some((tokens) => !isUsedUp(tokens) && isMeant(tokens.grant)),
    revoke: (isMeant) => keep((tokens) => !isMeant(tokens)),
    useUp(isMeant) {
      for (const tokens of all()) if (isMeant(tokens.grant)) tokens.usedMs ??= -Infinity
    },
    expireAll() {
      for (const tokens of all()) if (tokens.expiresAtMs < Infinity) tokens.expiresAtMs = nowMs()
    },
    reset: () => void keep(() => false),
  }
}

/** Keeps the pairs, and knows their ages. */
function createLedger<Grant>(clock: Clock, policy: TokenPolicy<Grant>) {
  let all: readonly Stored<Grant>[] = []
  const { refreshSeconds = Infinity, authorizationSeconds = Infinity } = policy
  const nowMs = () => clock.now().getTime()
  const add = (
    grant: Grant,
    made: Pick<Stored<Grant>, 'accessToken' | 'refreshToken' | 'expiresAtMs' | 'family'>,
  ): Stored<Grant> => {
    const tokens = { grant, issuedAt: clock.now(), usedMs: undefined, next: [], ...made }
    all = [...all, tokens]
    return tokens
  }
  return {
    nowMs,
    all: () => all,
    /** Drops all other pairs. Returns whether there was one. */
    keep: (isKept: (tokens: Stored<Grant>) => boolean): boolean => {
      const before = all.length
      all = all.filter(isKept)
      return all.length < before
    },
    add,
    issue: (grant: Grant, family = { startedMs: nowMs() }) =>
      add(grant, {
        family,
        accessToken: policy.newAccessToken(grant),
        refreshToken: policy.newRefreshToken?.(grant),
        expiresAtMs: nowMs() + policy.accessSeconds * 1000,
      }),
    isUsedUp: ({ usedMs }: Stored<Grant>) =>
      usedMs !== undefined && nowMs() - usedMs >= (policy.rotation().reusableSeconds ?? 0) * 1000,
    isOver: ({ issuedAt, family }: Stored<Grant>) =>
      nowMs() - issuedAt.getTime() >= refreshSeconds * 1000 ||
      nowMs() - family.startedMs >= authorizationSeconds * 1000,
  }
}
