import { Problem } from '@signalbox/contract'
import { hashToken, readToken } from '../crypto/tokens.ts'
import { timingSafeEqual } from 'node:crypto'
import { requireNetwork } from '../http/admission/allowed-networks.ts'
import type { Actor, ApiKeyActor, UserActor } from '../http/admission/actor.ts'
import type { Credentials } from '../http/admission/authorize-actor.ts'
import type { BeforeLookup } from '../http/admission/credential-guard.ts'
import { readCookie } from '../http/admission/cookies.ts'
import type { Store } from '../store/store.ts'
import { accessOf } from './api-keys/api-key.ts'
import type { CachedApiKey } from './key-cache/api-key-cache.ts'
import { findAgentActor } from './members/agent-tokens/agent-tokens.ts'
import { findTokenActor } from './personal-tokens/personal-tokens.ts'
import { findSessionActor } from './sessions/find-session-actor.ts'
import { sessionCookie } from './sessions/session.ts'
import type { UseRecorder } from './use-recorder.ts'
import type { TokenFailure, TokenVerifier, VerifiedKey } from './verify-token.ts'

export interface AuthenticateDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly verifier: TokenVerifier
  readonly uses: Pick<UseRecorder, 'recordKeyUse' | 'recordTokenUse'>
  /** At least 32 characters, or `undefined`: no bootstrap token is accepted. */
  readonly bootstrapToken: string | undefined
  readonly now: () => Date
}

/** Finds the actor whose credentials a request has. */
export type Authenticate = (
  credentials: Pick<Credentials, 'authorization' | 'cookie' | 'beforeLookup'> &
    Partial<Pick<Credentials, 'ip'>>,
) => Promise<Actor | undefined>

const bearerPattern = /^Bearer +([!-~]{1,4096}) *$/i
const accessTokenPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/
const bootstrapLength = 32

/**
 * Opens the check of credentials. A token in the `Authorization` header counts before a cookie, and a wrong one is not
 * made good by a cookie. No credentials at all are `undefined`.
 *
 * @throws {Problem} `invalid_credentials`; `expired_credentials`, `revoked_credentials` and `network_forbidden` only for a right
 * secret.
 */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const isBootstrap = createBootstrapCheck(deps.bootstrapToken)
  return async ({ authorization, cookie, beforeLookup, ip = 'an unknown address' }) => {
    if (authorization !== undefined) {
      const token = bearerPattern.exec(authorization)?.[1]
      if (token === undefined) throw rejection('invalid')
      return authenticateToken(deps, token, { isBootstrap, beforeLookup, ip })
    }
    const session = readCookie(cookie, sessionCookie)
    if (session === undefined || session === '') return undefined
    beforeLookup?.(session)
    const sessionActor = await findSessionActor(deps, session)
    if (sessionActor.outcome !== 'valid') throw rejection(sessionActor.outcome)
    return sessionActor.actor
  }
}

/** Returns the person who is signed in to a browser. An invalid cookie counts as none. */
export async function findPerson(
  authenticate: Authenticate,
  cookie: string | undefined,
): Promise<UserActor | undefined> {
  try {
    const actor = await authenticate({ authorization: undefined, cookie })
    return actor?.type === 'user' ? actor : undefined
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return undefined
    throw error
  }
}

async function authenticateToken(
  deps: AuthenticateDeps,
  token: string,
  {
    isBootstrap,
    beforeLookup,
    ip,
  }: {
    readonly isBootstrap: (token: string) => boolean
    readonly beforeLookup: BeforeLookup | undefined
    readonly ip: string
  },
): Promise<Actor> {
  const read = readToken(token)
  if (read?.kind === 'pat') {
    beforeLookup?.(token)
    const person = await findTokenActor(deps, read)
    if (typeof person === 'string') throw rejection(person)
    deps.uses.recordTokenUse(person.credentialId)
    return person
  }
  if (read?.kind === 'agt') {
    beforeLookup?.(token)
    const agent = await findAgentActor(deps, read)
    if (typeof agent === 'string') throw rejection(agent)
    return agent
  }
  if (read !== undefined) return toKeyActor(deps, await deps.verifier.verifyApiKey(token), ip)
  if (isBootstrap(token)) return { type: 'bootstrap', credentialId: 'bootstrap' }
  if (!accessTokenPattern.test(token)) throw rejection('invalid')
  return toKeyActor(deps, await deps.verifier.verifyAccessToken(token), ip)
}

function toKeyActor(
  { uses }: Pick<AuthenticateDeps, 'uses'>,
  verified: VerifiedKey,
  ip: string,
): ApiKeyActor {
  if (verified.outcome !== 'valid') throw rejection(verified.outcome)
  const { key } = verified
  uses.recordKeyUse(key)
  requireNetwork(key.allowedNetworks, ip)
  return toApiKeyActor(key)
}

/** The actor that an API key is. Its access tokens are the same actor, so limits and repeats count for both. */
function toApiKeyActor({
  orgId,
  keyId,
  kind,
  access,
  name,
  environmentIds,
  schemaIds,
}: CachedApiKey): ApiKeyActor {
  return {
    type: 'api_key',
    orgId,
    keyId,
    kind,
    access: accessOf({ kind, access }),
    name,
    environmentIds,
    schemaIds,
    credentialId: keyId,
  }
}

/** Compares hashes, so that the time tells neither the token nor its length. */
function createBootstrapCheck(bootstrapToken: string | undefined): (token: string) => boolean {
  if (bootstrapToken === undefined) return () => false
  if (bootstrapToken.length < bootstrapLength) {
    throw new Error(`SIGNALBOX_BOOTSTRAP_TOKEN must have at least ${bootstrapLength} characters.`)
  }
  const expected = hashToken(bootstrapToken)
  return (token) => timingSafeEqual(expected, hashToken(token))
}

function rejection(outcome: TokenFailure): Problem {
  if (outcome === 'expired') {
    return new Problem(
      'expired_credentials',
      'The credentials have expired. Sign in again, or use a new token.',
    )
  }
  if (outcome === 'revoked') {
    return new Problem(
      'revoked_credentials',
      'The credentials were revoked. Sign in again, or use a new token.',
    )
  }
  const detail = 'The credentials are unknown or incomplete. Check that you copied the whole token.'
  return new Problem('invalid_credentials', detail)
}
