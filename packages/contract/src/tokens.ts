/** Lists the kinds of token we issue: browser key, server key, relay key, personal access token, agent token, SCIM token. */
export const tokenKinds = ['b2m', 'm2m', 'rly', 'pat', 'agt', 'scm'] as const

export type TokenKind = (typeof tokenKinds)[number]
/** Lists the kinds of API key: for browsers, for servers, and for relays. */
export const apiKeyKinds = ['b2m', 'm2m', 'rly'] as const
export type ApiKeyKind = (typeof apiKeyKinds)[number]
/** Lists what API keys may do: read alone, or write as well. Only a server key writes. */
export const keyAccesses = ['read', 'write'] as const
/** Names what an API key may do. */
export type KeyAccess = (typeof keyAccesses)[number]

/**
 * Matches `sbx_<kind>_<10 base62 handle><30 base62 random><6 base62 CRC-32 of all before>`.
 * The prefix lets scanners find a leaked token; the checksum lets us refuse junk without a look-up.
 */
export const tokenPattern =
  /^sbx_(b2m|m2m|rly|pat|agt|scm)_([0-9A-Za-z]{10})([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** Returns the kind a token claims to be, or `undefined` when it has not the form of one. Does not verify the checksum. */
export function claimedTokenKind(token: string): TokenKind | undefined {
  const kind = tokenPattern.exec(token)?.[1]
  return tokenKinds.find((known) => known === kind)
}
