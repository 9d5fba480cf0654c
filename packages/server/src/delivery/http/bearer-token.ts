const scheme = /^Bearer {1,4}$/i
const tokenMax = 4_096

/**
 * Returns the token of an `Authorization` header such as `Bearer sbx_b2m_…` (RFC 6750 §2.1), or `undefined` for any
 * other header. The scheme may be in any case and be followed by up to four spaces; a token has at most 4,096
 * characters.
 */
export function readBearerToken(authorization: string): string | undefined {
  const tokenAt = authorization.lastIndexOf(' ') + 1
  if (!scheme.test(authorization.slice(0, tokenAt))) return undefined
  const length = authorization.length - tokenAt
  return length > 0 && length <= tokenMax ? authorization.slice(tokenAt) : undefined
}
