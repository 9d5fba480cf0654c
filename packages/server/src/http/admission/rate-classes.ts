/** Lists the rate limits. `read` and `write` are for server keys; `session` is for people. */
export const rateLimitClasses = [
  'open',
  'probe',
  'signIn',
  'signInAccount',
  'invalidCredentials',
  'read',
  'write',
  'session',
  'reveal',
  'export',
  'delivery',
  'deliveryNode',
  'streamOpenKey',
  'streamOpen',
] as const

export type RateLimitClass = (typeof rateLimitClasses)[number]

/** Describes a rate limit. */
export interface RateLimit {
  readonly perSecond: number
  /** Limits the requests that may come at once after a pause. */
  readonly burst: number
}

/** Maps each class to its limit; `off` limits nothing. */
export type RateLimits = 'off' | Readonly<Record<RateLimitClass, RateLimit>>

const perMinute = (count: number): RateLimit => ({ perSecond: count / 60, burst: count })

/**
 * Holds the limits that apply by default. Each subject has its own: address, account, key or person; for `delivery` and
 * `streamOpenKey` the key and the address together, and for `streamOpen` the whole node.
 */
export const defaultRateLimits: Exclude<RateLimits, 'off'> = {
  open: { perSecond: 20, burst: 60 },
  probe: { perSecond: 20, burst: 60 },
  signIn: perMinute(10),
  signInAccount: perMinute(30),
  invalidCredentials: perMinute(60),
  read: { perSecond: 100, burst: 200 },
  write: { perSecond: 20, burst: 40 },
  session: { perSecond: 20, burst: 60 },
  reveal: perMinute(30),
  export: perMinute(5),
  delivery: { perSecond: 50, burst: 100 },
  deliveryNode: { perSecond: 1_000, burst: 2_000 },
  streamOpenKey: { perSecond: 2, burst: 20 },
  streamOpen: { perSecond: 100, burst: 200 },
}

const overridePattern = /^([A-Za-z]+)=(\d{1,9}(?:\.\d{1,6})?)(m?)\/(\d{1,9})$/
const shortOverridePattern = /^([A-Za-z]+)=(\d{1,9}(?:\.\d{1,6})?)(m?)$/

/**
 * Parses `SIGNALBOX_RATE_LIMITS`: `off`, or overrides such as `delivery=200/400,signIn=30m/30`. The rate is per second,
 * or per minute with `m`. The burst is optional, by default twice the rate. Throws with advice when it cannot be
 * parsed.
 */
export function parseRateLimits(text: string | undefined): RateLimits {
  if (text === undefined || text.trim() === '') return defaultRateLimits
  if (text.trim() === 'off') return 'off'
  const limits: Record<RateLimitClass, RateLimit> = { ...defaultRateLimits }
  for (const part of text.split(',').map((each) => each.trim())) {
    const [name, limit] = parseOverride(part)
    limits[name] = limit
  }
  return limits
}

function parseOverride(part: string): [RateLimitClass, RateLimit] {
  const [, given, rate, minute, burst] =
    overridePattern.exec(part) ?? shortOverridePattern.exec(part) ?? []
  const name = rateLimitClasses.find((known) => known === given)
  const perSecond = Number(rate) / (minute === 'm' ? 60 : 1)
  if (name === undefined || !(perSecond > 0)) {
    throw new Error(
      `SIGNALBOX_RATE_LIMITS: "${part}" is not "off" or <class>=<rate>/<burst>, such as delivery=200/400. The classes are ${rateLimitClasses.join(', ')}.`,
    )
  }
  return [name, { perSecond, burst: Math.max(1, Number(burst ?? Math.ceil(Number(rate) * 2))) }]
}
