import { claimedTokenKind, Problem } from '@signalbox/contract'
import type { RateLimiter } from '../../http/admission/rate-limit.ts'
import type { KeyRing, RingKey } from '../../identity/key-ring/key-ring.ts'
import type { RequestHead } from './answer.ts'
import { readBearerToken } from './bearer-token.ts'
import { createCredentialGuard, type CredentialGuard } from './credential-guard.ts'
import { createKeyReader } from './key-reader.ts'
import type { KeyUses } from './key-uses.ts'
import type { KeyReader, PersonReader, Reader } from '../cache/reader.ts'

/** What a check of a token against the key ring says. */
export type VerifiedKey =
  | { readonly outcome: 'valid'; readonly key: RingKey }
  | { readonly outcome: 'invalid' | 'expired' | 'revoked' }

/** Checks API keys and the short-lived tokens made from them, without the database. */
export interface KeyVerifier {
  verifyApiKey(token: string): VerifiedKey
  verifyAccessToken(token: string): Promise<VerifiedKey>
}

/** What the API role knows of a person. */
export interface AuthenticatedPerson {
  readonly credentialId: string
  mayReadOrganization(orgId: string): boolean
  /** Whether nothing was announced since that may have ended what they may do. */
  isCurrent(): boolean
}

/** The credentials of a person: a personal access token, a session's cookie, the bootstrap token. */
export interface PersonCredentials {
  readonly token: string | undefined
  /** The `Cookie` header; absent at the delivery's own address, where sessions mean nothing. */
  readonly cookie: string | undefined
  readonly address: string
}

export interface AuthenticateDeps {
  readonly ring: Pick<KeyRing, 'findKey'>
  readonly uses: Pick<KeyUses, 'note'>
  readonly verifier: KeyVerifier
  /** Absent in a process without the API role. @throws {Problem} when they are not valid. */
  readonly authenticatePerson?:
    | ((credentials: PersonCredentials) => Promise<AuthenticatedPerson>)
    | undefined
  readonly limiter: RateLimiter
  readonly addressOf: (request: RequestHead) => string
  readonly now: () => Date
}

/** Where a request's credentials stand. */
export interface GivenCredentials {
  readonly request: RequestHead
  /** From the URL. */
  readonly apiKey: string | undefined
  readonly acceptCookies: boolean
  /** When the request came, in milliseconds since 1970: the moment its key is noted to have been used. */
  readonly atMs: number
  /** Whether a refusal is not counted, because the same request is asked about again. */
  readonly trial?: true
}

/**
 * Tells who a request is from: at once for a key that was seen before, which is the path of almost every read.
 *
 * @throws {Problem} `missing_credentials`, `invalid_credentials`, `expired_credentials`, `revoked_credentials`,
 * `key_in_url`, `rate_limited`
 */
export type Authenticate = (given: GivenCredentials) => Reader | Promise<Reader>

const rememberedMax = 200_000
/** A person's stream is closed after this time at the latest, should an announcement be lost; the next one is checked again. */
const personSeconds = 60
const accessToken = /^[\w-]+\.[\w-]+\.[\w-]+$/

export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const { verifier } = deps
  /** By the token alone, so that no other spelling of the same header takes more memory. */
  const remembered = new Map<string, KeyReader>()
  const guard = createCredentialGuard(deps.limiter)
  const identifyPerson = createIdentifyPerson(deps, guard)

  const remember = (
    { token, atMs }: { readonly token: string; readonly atMs: number },
    verified: VerifiedKey,
    endOf: EndOf = neverEnds,
  ) => {
    if (verified.outcome !== 'valid') throw refusal(verified.outcome)
    const reader = createKeyReader(deps, verified.key, endOf(token))
    reader.noteUse(atMs)
    if (remembered.size >= rememberedMax) forgetOldest(remembered)
    remembered.set(token, reader)
    return reader
  }
  const verify = (token: string | undefined, given: GivenCredentials) => {
    const { atMs } = given
    const address = deps.addressOf(given.request)
    guard.check(address)
    const count = <Verified extends VerifiedKey>(verified: Verified) => {
      // Who has the secret itself does not guess.
      if (verified.outcome === 'invalid' && given.trial !== true) guard.count(address)
      return verified
    }
    if (token === undefined) throw refusal(count({ outcome: 'invalid' }).outcome)
    const kind = claimedTokenKind(token)
    if (kind === 'b2m' || kind === 'm2m') {
      return remember({ token, atMs }, count(verifier.verifyApiKey(token)))
    }
    if (accessToken.test(token)) {
      return verifier
        .verifyAccessToken(token)
        .then((verified) => remember({ token, atMs }, count(verified), expiryOf))
    }
    return identifyPerson({ token, cookie: undefined, address })
  }

  return (given) => {
    const { request, apiKey, acceptCookies } = given
    if (apiKey !== undefined) refuseInUrl(apiKey)
    const { authorization, cookie } = request.headers
    if (authorization === undefined && apiKey === undefined) {
      if (!acceptCookies || cookie === undefined) throw missing()
      const address = deps.addressOf(request)
      guard.check(address)
      return identifyPerson({ token: undefined, cookie, address })
    }
    const token = authorization === undefined ? apiKey : readBearerToken(authorization)
    const known = token === undefined ? undefined : remembered.get(token)
    if (known === undefined || token === undefined) return verify(token, given)
    if (known.isValid()) {
      known.noteUse(given.atMs)
      return known
    }
    remembered.delete(token)
    return verify(token, given)
  }
}

/** What a look-up of a person says when it was not good. */
const badCredentials: ReadonlySet<string> = new Set([
  'invalid_credentials',
  'expired_credentials',
  'revoked_credentials',
])

/** Asks the API role about a person. The caller has had the guard check. */
function createIdentifyPerson(
  { authenticatePerson, now }: AuthenticateDeps,
  guard: CredentialGuard,
): (credentials: PersonCredentials) => Promise<PersonReader> {
  return async (credentials) => {
    const { address } = credentials
    // Before the answer, because it costs the database work: many at once would all be looked up otherwise.
    guard.count(address)
    try {
      if (authenticatePerson === undefined) throw noPeopleHere()
      const person = await authenticatePerson(credentials)
      guard.forgive(address)
      return createPersonReader(person, now)
    } catch (thrown) {
      if (!(thrown instanceof Problem && badCredentials.has(thrown.code))) guard.forgive(address)
      throw thrown
    }
  }
}

function createPersonReader(person: AuthenticatedPerson, now: () => Date): PersonReader {
  const untilMs = now().getTime() + personSeconds * 1000
  return {
    type: 'person',
    credentialId: person.credentialId,
    mayReadOrganization: (orgId) => person.mayReadOrganization(orgId),
    isValid: () => person.isCurrent() && now().getTime() < untilMs,
  }
}

function forgetOldest(remembered: Map<string, KeyReader>): void {
  const [oldest] = remembered.keys()
  if (oldest !== undefined) remembered.delete(oldest)
}

/** A browser key is public, so it may stand where servers and proxies log it. Everything else may not. */
function refuseInUrl(apiKey: string): void {
  if (claimedTokenKind(apiKey) === 'b2m') return
  if (apiKey.startsWith('sbx_b2m_')) throw refusal('invalid')
  throw new Problem(
    'key_in_url',
    'Only a browser key (sbx_b2m_…) may be given in a URL. Send this credential in the Authorization header, and ' +
      'replace it: URLs are written into logs.',
  )
}

/** When a verified token ends by itself, in milliseconds since 1970. */
type EndOf = (token: string) => number

const neverEnds: EndOf = () => Number.POSITIVE_INFINITY

/** When a verified access token ends, from its claims. */
function expiryOf(token: string): number {
  const claims: unknown = JSON.parse(
    Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'),
  )
  const isRecord = typeof claims === 'object' && claims !== null && 'exp' in claims
  return isRecord && typeof claims.exp === 'number' ? claims.exp * 1000 : 0
}

function missing(): Problem {
  return new Problem(
    'missing_credentials',
    'Send an API key as "Authorization: Bearer sbx_…", or a browser key as ?apiKey=.',
  )
}

function noPeopleHere(): Problem {
  return new Problem(
    'invalid_credentials',
    'This address accepts API keys and the short-lived tokens made from them. Use one of those.',
  )
}

function refusal(outcome: 'invalid' | 'expired' | 'revoked'): Problem {
  if (outcome === 'expired') {
    return new Problem('expired_credentials', 'The credential has expired. Use a valid one.')
  }
  if (outcome === 'revoked') {
    return new Problem('revoked_credentials', 'The API key was revoked. Use another one.')
  }
  return new Problem('invalid_credentials', 'The credential is not one of ours, or not complete.')
}
