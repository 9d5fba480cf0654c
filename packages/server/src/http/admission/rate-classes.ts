export interface RateLimit {
  readonly perSecond: number
  /** Limits the requests that may come together after a pause. */
  readonly burst: number
}

/** Describes a class of rate limits. The reference renders the table of them. */
export interface RateClass {
  readonly limit: RateLimit
  /** Says whose requests are counted together. */
  readonly of: string
  /** Says what the limit protects. */
  readonly protects: string
}

const perMinute = (count: number): RateLimit => ({ perSecond: count / 60, burst: count })

/**
 * Holds every class with its default. `read` and `write` are for server keys; `session` is for people. `deliveryNode`
 * and `streamOpen` count for the whole node: it divides them among those who ask while it is short (`fair-rate.ts`).
 */
export const rateClassTable = {
  open: {
    limit: { perSecond: 20, burst: 60 },
    of: 'an address, for requests without a credential',
    protects: 'the API from callers without a credential.',
  },
  probe: {
    limit: { perSecond: 20, burst: 60 },
    of: 'an address, for `/readyz` and `/metrics`',
    protects: 'the database from probes, without using up the allowance of people.',
  },
  signIn: {
    limit: perMinute(10),
    of: 'an address; behind one of a private network also whom it names last in `X-Forwarded-For`',
    protects: 'passwords from guessing, and the processor from hashing.',
  },
  signInAccount: {
    limit: perMinute(30),
    of: 'an account, for all addresses together from which nobody signed in to it lately',
    protects: 'an account from guessing from many addresses.',
  },
  invalidCredentials: {
    limit: perMinute(60),
    of: 'an address that sends wrong, expired or revoked credentials; credentials that need a look-up count separately',
    protects:
      'the database from look-ups of guesses. Valid keys are never refused because of them.',
  },
  read: {
    limit: { perSecond: 100, burst: 200 },
    of: 'a server key',
    protects: 'the API from a program that reads without a pause.',
  },
  write: {
    limit: { perSecond: 20, burst: 40 },
    of: 'a server key',
    protects: 'the database and every node from a program that writes without a pause.',
  },
  session: {
    limit: { perSecond: 20, burst: 60 },
    of: 'a person',
    protects: 'the API from one person, in all browsers and with all tokens together.',
  },
  agent: {
    limit: { perSecond: 5, burst: 30 },
    of: 'an agent token',
    protects: 'the API from an assistant that calls tools in a loop.',
  },
  reveal: {
    limit: perMinute(30),
    of: 'a person who looks at secrets',
    protects: 'secrets from mass copying out of an open browser.',
  },
  export: {
    limit: perMinute(5),
    of: 'a person who exports the audit log',
    protects: 'the database from long reads.',
  },
  delivery: {
    limit: { perSecond: 500, burst: 1_000 },
    of: 'a key from an address',
    protects: 'other clients from one address that reads as fast as it can.',
  },
  deliveryShort: {
    limit: { perSecond: 10, burst: 100 },
    of: 'a key from an address, while less than half of `deliveryNode` is left',
    protects: 'clients that read seldom from clients that read often.',
  },
  deliveryNode: {
    limit: { perSecond: 10_000, burst: 20_000 },
    of: 'a node; while little is left, at most 30% of it for an organization, 20% for a key, 10% for an IPv6 network (/48)',
    protects: 'the node: one processor core answers about this many reads.',
  },
  streamOpenKey: {
    limit: { perSecond: 50, burst: 500 },
    of: 'a key from an address, for opening streams',
    protects: 'other clients from one address that opens streams as fast as it can.',
  },
  streamOpenShort: {
    limit: { perSecond: 0.5, burst: 20 },
    of: 'a key from an address, for opening streams while less than half of `streamOpen` is left',
    protects: 'clients that open one stream from clients that open many.',
  },
  streamOpen: {
    limit: { perSecond: 1_000, burst: 10_000 },
    of: 'a node; while little is left, at most 30% of it for an organization, 20% for a key, 10% for an IPv6 network (/48)',
    protects: 'the reads of a node from many clients that reconnect at the same time.',
  },
} as const satisfies Readonly<Record<string, RateClass>>

export type RateLimitClass = keyof typeof rateClassTable

/** Lists the names of the classes. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table, which TypeScript gives as texts
export const rateLimitClasses = Object.keys(rateClassTable) as readonly RateLimitClass[]

/** Maps each class to its limit; `off` limits nothing. */
export type RateLimits = 'off' | Readonly<Record<RateLimitClass, RateLimit>>

/** Holds the limits that apply by default. */
export const defaultRateLimits: Exclude<RateLimits, 'off'> = mapClasses(({ limit }) => limit)

function mapClasses<T>(toValue: (rateClass: RateClass) => T): Record<RateLimitClass, T> {
  const entries = rateLimitClasses.map((name) => [name, toValue(rateClassTable[name])])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- has an entry for each class
  return Object.fromEntries(entries) as Record<RateLimitClass, T>
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
  const [, typedName, rate, minute, burst] =
    overridePattern.exec(part) ?? shortOverridePattern.exec(part) ?? []
  const name = rateLimitClasses.find((known) => known === typedName)
  const perSecond = Number(rate) / (minute === 'm' ? 60 : 1)
  if (name === undefined || !(perSecond > 0)) {
    throw new Error(
      `SIGNALBOX_RATE_LIMITS: "${part}" is not "off" or <class>=<rate>/<burst>, such as delivery=200/400. The classes are ${rateLimitClasses.join(', ')}.`,
    )
  }
  return [name, { perSecond, burst: Math.max(1, Number(burst ?? Math.ceil(Number(rate) * 2))) }]
}
