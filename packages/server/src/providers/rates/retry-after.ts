const pauseMsMin = 1_000
const pauseMsMax = 3600 * 1000

/**
 * Returns when to come back, as `Retry-After` says it: a number of seconds, or a date in any of the three forms of HTTP.
 * `undefined`: it is not there, or cannot be read.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function readRetryAfter(header: string | undefined, now: Date): Date | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(text)) return pauseFor(now, Number(text) * 1000)
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined
  // The form of C's asctime() is the only one that does not name its zone, which is UTC.
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(atMs) ? undefined : pauseFor(now, atMs - now.getTime())
}

/** Returns the end of a pause: a second from now at the least, since clocks differ, and an hour at the most. */
export function pauseFor(now: Date, ms: number): Date {
  return new Date(now.getTime() + Math.min(Math.max(ms, pauseMsMin), pauseMsMax))
}
