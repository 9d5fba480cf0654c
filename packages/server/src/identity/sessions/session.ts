/** Without a request for so long, a session ends. */
export const sessionIdleMs = 12 * 3600 * 1000
/** No session lives longer, however much it is used. */
export const sessionLifetimeMs = 7 * 24 * 3600 * 1000
/** Use is noted at most once in this time, so that reading a page does not write. */
export const sessionTouchMs = 60 * 1000

/**
 * The prefix makes browsers refuse the cookie unless it is `Secure`, for the whole host and without a domain, so no
 * neighbouring host can plant one.
 */
export const sessionCookie = '__Host-s'

/** Names a session where people and limits tell sessions apart. A part of the hash, which opens none. */
export function sessionIdOf(tokenHash: Buffer): string {
  return `session_${tokenHash.toString('hex').slice(0, 32)}`
}

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** `Set-Cookie` for a session. Browsers take it over https, and over http from this machine. */
export function renderSessionCookie(token: string, expiresAt: Date): string {
  return `${sessionCookie}=${token}; ${attributes}; Expires=${expiresAt.toUTCString()}`
}

/** `Set-Cookie` that takes the session from the browser. */
export const endedSessionCookie = `${sessionCookie}=; ${attributes}; Max-Age=0`

/** Whether a session still works at `now`. */
export function isSessionAlive(
  { usedAt, expiresAt }: { readonly usedAt: Date; readonly expiresAt: Date },
  now: Date,
): boolean {
  return expiresAt > now && now.getTime() - usedAt.getTime() < sessionIdleMs
}
