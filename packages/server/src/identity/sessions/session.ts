/** Limits how long a session lives without a request. */
export const sessionIdleMs = 12 * 3600 * 1000
/** Limits how long a session lives, however much it is used. */
export const sessionLifetimeMs = 7 * 24 * 3600 * 1000
/** Sets how often the use of a session is noted, so that reading a page does not write. */
export const sessionTouchMs = 60 * 1000

/**
 * Names the cookie. Its prefix makes browsers refuse it unless it is `Secure`, for the whole host and without a domain, so no
 * neighbouring host can plant one.
 */
export const sessionCookie = '__Host-s'

/** Names a session where people and limits tell sessions apart. A part of the hash, which opens none. */
export function sessionIdOf(tokenHash: Buffer): string {
  return `session_${tokenHash.toString('hex').slice(0, 32)}`
}

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** Renders `Set-Cookie` for a session. Browsers take it over https, and over http from this machine. */
export function renderSessionCookie(token: string, expiresAt: Date): string {
  return `${sessionCookie}=${token}; ${attributes}; Expires=${expiresAt.toUTCString()}`
}

/** Holds `Set-Cookie` that takes the session from the browser. */
export const endedSessionCookie = `${sessionCookie}=; ${attributes}; Max-Age=0`

/** Returns whether a session still works at `now`. */
export function isSessionAlive(
  { usedAt, expiresAt }: { readonly usedAt: Date; readonly expiresAt: Date },
  now: Date,
): boolean {
  return expiresAt > now && now.getTime() - usedAt.getTime() < sessionIdleMs
}

/** Returns the longest time that a session was idle since it was confirmed, in milliseconds. */
export function idleMsOf(
  { usedAt, idleSeconds }: { readonly usedAt: Date; readonly idleSeconds: number },
  now: Date,
): number {
  return Math.max(idleSeconds * 1000, now.getTime() - usedAt.getTime())
}
