import { claimedTokenKind, Problem } from '@signalbox/contract'
import { requireNetwork } from '../../http/admission/allowed-networks.ts'
import {
  createCredentialGuard,
  isBadCredential,
  type CredentialGuard,
} from '../../http/admission/credential-guard.ts'
import type { RateLimiter } from '../../http/admission/rate-limit.ts'
import type { ApiKeyCache, CachedApiKey } from '../../identity/key-cache/api-key-cache.ts'
import type { RequestMetadata } from './answer.ts'
import { readBearerToken } from './bearer-token.ts'
import { createKeyReader } from './key-reader.ts'
import type { KeyUses } from './key-uses.ts'
import type { KeyReader, PersonReader, Reader } from '../cache/reader.ts'

/** Describes the result of checking a token against the cache of API keys. */
export type VerifiedKey =
  | { readonly outcome: 'valid'; readonly key: CachedApiKey }
  | { readonly outcome: 'invalid' | 'expired' | 'revoked' }

/** Checks API keys and the short-lived tokens made from them, without the database. */
export interface KeyVerifier {
  /** Answers at once for a key that this node knows. */
  verifyApiKey(token: string): VerifiedKey | Promise<VerifiedKey>
  verifyAccessToken(token: string): Promise<VerifiedKey>
}

/** Describes a person whom the API role has authenticated. */
export interface AuthenticatedPerson {
  readonly credentialId: string
  mayReadOrganization(orgId: string): boolean
  /** Returns whether no announcement since may have ended the person's rights. */
  isCurrent(): boolean
}

/** Holds the credentials of a person: a personal access token, a session's cookie, or the bootstrap token. */
export interface PersonCredentials {
  readonly token: string | undefined
  /** Holds the `Cookie` header; absent at the delivery's own address, which has no sessions. */
  readonly cookie: string | undefined
  readonly address: string
}

/** Lists what credentials are checked against. */
export interface AuthenticationParts {
  readonly keyCache: Pick<ApiKeyCache, 'findKey'>
  readonly uses: Pick<KeyUses, 'note'>
  readonly verifier: KeyVerifier
  /**
   * Authenticates a person; absent in a process without the API role. @throws {Problem} when the credentials are not
   * valid
   */
  readonly authenticatePerson?:
    | ((credentials: PersonCredentials) => Promise<AuthenticatedPerson>)
    | undefined
  readonly limiter: RateLimiter
  readonly addressOf: (request: RequestMetadata) => string
  readonly now: () => Date
}

export interface RequestCredentials {
  readonly request: RequestMetadata
  /** Holds the parameter `apiKey` of the URL. */
  readonly apiKey: string | undefined
  readonly acceptCookies: boolean
  /** Holds when the request arrived, in milliseconds since 1970: the key's last use. */
  readonly atMs: number
  /** Leaves a rejection uncounted, because the handler checks the same request again. */
  readonly isTrial?: true
}

const rememberedMax = 200_000
/**
 * Closes a person's stream after this time at the latest, in case an announcement is lost. The next one is
 * authenticated again.
 */
const personSeconds = 60
const accessToken = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Holds what credentials are checked against, and the last 200,000 valid tokens. */
export interface Authentication extends AuthenticationParts {
  /** Maps the token alone, so that other spellings of the same header take no memory. */
  readonly remembered: Map<string, KeyReader>
  readonly guard: CredentialGuard
}

/** Creates an authentication that remembers no token yet. */
export function createAuthentication(parts: AuthenticationParts): Authentication {
  return { ...parts, remembered: new Map(), guard: createCredentialGuard(parts.limiter) }
}

/**
 * Identifies the caller of a request. Returns no promise for a known key, which is the case for almost every read.
 *
 * @throws {Problem} `missing_credentials`, `invalid_credentials`, `expired_credentials`, `revoked_credentials`,
 * `key_in_url`, `rate_limited`
 */
export function authenticate(
  authentication: Authentication,
  credentials: RequestCredentials,
): Reader | Promise<Reader> {
  const { request, apiKey, acceptCookies } = credentials
  if (apiKey !== undefined) refuseInUrl(apiKey)
  const { authorization, cookie } = request.headers
  if (authorization === undefined && apiKey === undefined) {
    if (!acceptCookies || cookie === undefined) throw missing()
    const address = authentication.addressOf(request)
    return identifyPerson(authentication, { token: undefined, cookie, address })
  }
  const { remembered } = authentication
  const token = authorization === undefined ? apiKey : readBearerToken(authorization)
  const known = token === undefined ? undefined : remembered.get(token)
  if (known === undefined || token === undefined) return verify(authentication, token, credentials)
  if (known.isValid()) {
    known.noteUse(credentials.atMs)
    return known
  }
  remembered.delete(token)
  return verify(authentication, token, credentials)
}

/**
 * Refuses a key at an address that is in none of its networks.
 *
 * @throws {Problem} `network_forbidden`
 */
export function requireReaderNetwork(
  { addressOf }: Pick<Authentication, 'addressOf'>,
  request: RequestMetadata,
  reader: Reader,
): void {
  if (reader.type === 'person' || reader.allowedNetworks === null) return
  requireNetwork(reader.allowedNetworks, addressOf(request))
}

function verify(
  authentication: Authentication,
  token: string | undefined,
  { request, atMs, isTrial }: RequestCredentials,
): Reader | Promise<Reader> {
  const { verifier, guard } = authentication
  const address = authentication.addressOf(request)
  const remember = (verified: VerifiedKey, endOf?: EndOf) => {
    // Only unknown tokens count as guesses: an expired or revoked one was valid once.
    if (verified.outcome === 'invalid' && isTrial !== true) guard.countWrong(address)
    if (verified.outcome !== 'valid' || token === undefined) {
      throw rejection(verified.outcome === 'valid' ? 'invalid' : verified.outcome)
    }
    return rememberKey(authentication, { token, key: verified.key, endOf, atMs })
  }
  if (token === undefined) return remember({ outcome: 'invalid' })
  const kind = claimedTokenKind(token)
  if (kind === 'b2m' || kind === 'm2m' || kind === 'rly') {
    const verified = verifier.verifyApiKey(token)
    return verified instanceof Promise
      ? verified.then((read) => remember(read))
      : remember(verified)
  }
  if (accessToken.test(token)) {
    return verifier.verifyAccessToken(token).then((verified) => remember(verified, expiryOf))
  }
  return identifyPerson(authentication, { token, cookie: undefined, address })
}

interface KeyToRemember {
  readonly token: string
  readonly key: CachedApiKey
  readonly endOf: EndOf | undefined
  readonly atMs: number
}

function rememberKey(
  authentication: Authentication,
  { token, key, endOf = neverEnds, atMs }: KeyToRemember,
): KeyReader {
  const { remembered } = authentication
  const reader = createKeyReader(authentication, key, endOf(token))
  reader.noteUse(atMs)
  if (remembered.size >= rememberedMax) forgetOldest(remembered)
  remembered.set(token, reader)
  return reader
}

/** Authenticates a person through the API role, behind the guard: this asks the database. */
function identifyPerson(
  authentication: Authentication,
  credentials: PersonCredentials,
): Promise<PersonReader> {
  const credential = credentials.token ?? credentials.cookie ?? ''
  authentication.guard.check(credentials.address, credential)
  return askForPerson(authentication, credentials, credential)
}

async function askForPerson(
  { authenticatePerson, guard, now }: Authentication,
  credentials: PersonCredentials,
  credential: string,
): Promise<PersonReader> {
  const isCounted = !guard.knows(credential)
  // Before the look-up: otherwise many at once would all be looked up.
  if (isCounted) guard.count(credentials.address)
  try {
    if (authenticatePerson === undefined) throw noPeopleHere()
    const person = await authenticatePerson(credentials)
    if (isCounted) guard.forgive(credentials.address)
    guard.remember(credential)
    return createPersonReader(person, now)
  } catch (thrown) {
    if (isBadCredential(thrown)) guard.forget(credential)
    else if (isCounted) guard.forgive(credentials.address)
    throw thrown
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

/**
 * Refuses every credential in a URL except a browser key. Servers and proxies log URLs, and only a browser key is
 * public.
 */
function refuseInUrl(apiKey: string): void {
  if (claimedTokenKind(apiKey) === 'b2m') return
  if (apiKey.startsWith('sbx_b2m_')) throw rejection('invalid')
  throw new Problem(
    'key_in_url',
    'Only a browser key (sbx_b2m_…) may be part of a URL. Send this credential in the Authorization header, and ' +
      'replace it, because URLs end up in logs.',
  )
}

/** Returns when a verified token expires, in milliseconds since 1970. */
type EndOf = (token: string) => number

const neverEnds: EndOf = () => Number.POSITIVE_INFINITY

/** Reads the expiry of a verified access token from its claims. */
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
    'This address accepts only API keys and access tokens made from them.',
  )
}

function rejection(outcome: 'invalid' | 'expired' | 'revoked'): Problem {
  if (outcome === 'expired') {
    return new Problem('expired_credentials', 'The credential has expired. Use a valid one.')
  }
  if (outcome === 'revoked') {
    return new Problem('revoked_credentials', 'The API key was revoked. Use another one.')
  }
  return new Problem('invalid_credentials', 'The credential is unknown or incomplete.')
}
