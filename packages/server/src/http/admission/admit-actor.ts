import { Problem, type Role } from '@signalbox/contract'
import type { EndpointShape } from '@signalbox/contract/rest'
import { operatorRefused, requireAccess } from './access.ts'
import type { Actor } from './actor.ts'
import { addressSubject } from './client-address.ts'
import { refuseOtherSite, requireOwnPage, type CsrfHeaders } from './csrf.ts'
import type { RequestOrganization } from '../input/endpoint-request.ts'
import type { Exchange } from '../exchange.ts'
import { notFound } from '../answers/problem-response.ts'
import { requireRecentPassword } from './recent-password.ts'
import type { RateLimiter } from './rate-limit.ts'
import { takeAllowance } from './take-allowance.ts'

/** What a request offers as proof of who sends it. */
export interface Credentials {
  readonly authorization: string | undefined
  readonly cookie: string | undefined
  readonly requestId: string
  readonly ip: string
}

/** An organization that the actor reaches, and as what. */
export interface ReachedOrganization {
  readonly organization: RequestOrganization
  /** `undefined` for API keys. */
  readonly role: Role | undefined
}

export interface ActorDeps {
  /** Who the credentials belong to; `undefined` when there are none. Throws a Problem when they are not good. */
  authenticate(credentials: Credentials): Promise<Actor | undefined>
  /** The organization of this id or slug, or `undefined` when it is absent or out of the actor's reach: no difference. */
  resolveOrganization(actor: Actor, ref: string): Promise<ReachedOrganization | undefined>
  /** Whether a person runs this server. Asked where only those may. */
  readonly isOperator: (userId: string) => Promise<boolean>
  readonly limiter: RateLimiter
  /** What browsers see as the address of the API. Asked each time: with port 0 it is known only after the start. */
  readonly publicUrl: () => string
  readonly now: () => Date
}

/** Who asks and about what, after the guards. */
export interface Admitted {
  readonly actor: Actor | undefined
  readonly organization: RequestOrganization | undefined
  readonly role: Role | undefined
}

/**
 * Finds out who asks and how often, whether a page of another site made them, which organization it is about and what
 * they may do there, in this order: whoever may not ask learns nothing about what was asked, and what is refused is taken
 * from the allowance all the same.
 */
export async function admitActor(
  deps: ActorDeps,
  endpoint: EndpointShape,
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
): Promise<Admitted> {
  if (endpoint.access.kind === 'open') {
    takeAllowance(deps.limiter, endpoint, exchange)
    if (endpoint.method !== 'GET') refuseOtherSite(csrfHeaders(exchange), deps.publicUrl())
    return { actor: undefined, organization: undefined, role: undefined }
  }
  const actor = await authenticate(deps, exchange)
  exchange.actor = actor
  takeAllowance(deps.limiter, endpoint, exchange)
  if (endpoint.method !== 'GET' && actor.type === 'user' && actor.via === 'session') {
    requireOwnPage(csrfHeaders(exchange), deps.publicUrl())
  }
  if (endpoint.access.kind !== 'organization') {
    requireAccess(endpoint, actor, undefined)
    if (endpoint.access.kind === 'operator') await requireOperator(deps, actor)
    if (endpoint.stepUp === true) requireRecentPassword(actor, deps.now())
    return { actor, organization: undefined, role: undefined }
  }
  const reached = await deps.resolveOrganization(actor, params['org_id'] ?? '')
  if (reached === undefined) throw notFound()
  exchange.orgId = reached.organization.id
  requireAccess(endpoint, actor, reached.role)
  if (endpoint.stepUp === true) requireRecentPassword(actor, deps.now())
  return { actor, ...reached }
}

/**
 * Whether what a request was admitted by holds still: the credential, the organization, and the role in it. Takes nothing from
 * an allowance, and asks for no password again.
 */
export async function isStillAdmitted(
  deps: ActorDeps,
  endpoint: EndpointShape,
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { access } = endpoint
  if (access.kind === 'open') return true
  try {
    const actor = await deps.authenticate(credentialsOf(exchange))
    if (actor === undefined) return false
    if (access.kind === 'operator') await requireOperator(deps, actor)
    const reached =
      access.kind === 'organization'
        ? await deps.resolveOrganization(actor, params['org_id'] ?? '')
        : undefined
    if (access.kind === 'organization' && reached === undefined) return false
    requireAccess(endpoint, actor, reached?.role)
    return true
  } catch (error) {
    // Refused. Whatever else goes wrong is for who asked.
    if (error instanceof Problem) return false
    throw error
  }
}

async function requireOperator({ isOperator }: ActorDeps, actor: Actor): Promise<void> {
  if (actor.type === 'user' && !(await isOperator(actor.userId))) throw operatorRefused()
}

/** Good credentials once, and no more: each of these may have cost a look-up. */
const badCredentials: ReadonlySet<string> = new Set([
  'invalid_credentials',
  'expired_credentials',
  'revoked_credentials',
])

/** Whoever sent many bad credentials is refused before the next ones are looked at. */
async function authenticate(deps: ActorDeps, exchange: Exchange): Promise<Actor> {
  const failures = deps.limiter.bucket('invalidCredentials')
  const subject = addressSubject(exchange.ip)
  if (failures.isEmpty(subject)) {
    const detail = 'Too many bad credentials came from this address. Wait, then use good ones.'
    throw new Problem('rate_limited', detail, { retryAfterSeconds: 5 })
  }
  try {
    const actor = await deps.authenticate(credentialsOf(exchange))
    if (actor !== undefined) return actor
  } catch (error) {
    if (error instanceof Problem && badCredentials.has(error.code)) failures.take(subject)
    throw error
  }
  const detail = 'Send an access token or API key as "Authorization: Bearer …".'
  throw new Problem('missing_credentials', detail)
}

function credentialsOf({ header, requestId, ip }: Exchange): Credentials {
  return { authorization: header('authorization'), cookie: header('cookie'), requestId, ip }
}

function csrfHeaders({ header }: Exchange): CsrfHeaders {
  return {
    secFetchSite: header('sec-fetch-site'),
    origin: header('origin'),
    requestedBy: header('x-requested-by'),
  }
}
