import { Problem, type AgentScope, type Grant, type Role } from '@signalbox/contract'
import type { EndpointShape } from '@signalbox/contract/rest'
import { operatorRefused, requireAccess, type Admitted } from './access.ts'
import type { Actor, UserActor } from './actor.ts'
import { checkGuarded, type BeforeLookup, type CredentialGuard } from './credential-guard.ts'
import { refuseOtherSite, requireOwnPage, type CsrfHeaders } from './csrf.ts'
import type { RequestOrganization } from '../input/endpoint-request.ts'
import type { Exchange } from '../exchange.ts'
import { notFound } from '../answers/problem-response.ts'
import { permissionsOf } from './permissions.ts'
import { requireAuthority } from './require-authority.ts'
import type { RateLimiter } from './rate-limit.ts'
import { takeAllowance } from './take-allowance.ts'

/** Holds the credentials of a request. */
export interface Credentials {
  readonly authorization: string | undefined
  readonly cookie: string | undefined
  readonly requestId: string
  readonly ip: string
  /** Called before the database is asked, which nobody makes it do for guesses. */
  readonly beforeLookup?: BeforeLookup
}

/** Describes an organization that the actor may reach, and the actor's role in it. */
export interface ReachedOrganization {
  readonly organization: RequestOrganization
  /** Holds the role that the actor has everywhere; `undefined` for API keys. */
  readonly role: Role | undefined
  /** Lists what else the actor is granted. */
  readonly grants?: readonly Grant[]
  /** Holds the most that an assistant may do there. Absent for others. */
  readonly agentScope?: AgentScope | undefined
}

/** Lists what the admission of an actor needs. */
export interface ActorDeps {
  /**
   * Returns the owner of the credentials; `undefined` when there are none. @throws {Problem} when they are not valid
   */
  authenticate(credentials: Credentials): Promise<Actor | undefined>
  /**
   * Returns the organization of this id or slug; `undefined` when it is absent or out of the actor's reach, without a
   * difference.
   */
  resolveOrganization(actor: Actor, ref: string): Promise<ReachedOrganization | undefined>
  /**
   * Returns whether a person runs this server. Called only where that is required. @throws {Problem} when the policies of its first
   * organization keep them out
   */
  readonly isOperator: (actor: UserActor) => Promise<boolean>
  readonly limiter: RateLimiter
  readonly guard: CredentialGuard
  /**
   * Returns the address of the API as browsers see it. Called each time: with port 0 it is known only after the start.
   */
  readonly publicUrl: () => string
  readonly now: () => Date
}

/** Holds the actor and the organization of a request that passed the guards. */
export interface Authorized extends Admitted {
  readonly actor: Actor | undefined
  readonly organization: RequestOrganization | undefined
}

const nobody = { organization: undefined, role: undefined, permissions: [] } as const

/**
 * Checks credentials, rate, forgery, organization and access, in this order. A caller without access learns nothing
 * about the resource, and a refused request is taken from the allowance too.
 */
export async function authorizeActor(
  deps: ActorDeps,
  endpoint: EndpointShape,
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
): Promise<Authorized> {
  if (endpoint.access.kind === 'open') {
    takeAllowance(deps.limiter, endpoint, exchange)
    if (endpoint.method !== 'GET') refuseOtherSite(csrfHeaders(exchange), deps.publicUrl())
    return { actor: undefined, ...nobody }
  }
  const actor = await authenticate(deps, exchange)
  exchange.actor = actor
  takeAllowance(deps.limiter, endpoint, exchange)
  if (endpoint.method !== 'GET' && actor.type === 'user' && actor.via === 'session') {
    requireOwnPage(csrfHeaders(exchange), deps.publicUrl())
  }
  if (endpoint.access.kind !== 'organization') {
    requireAccess(endpoint, actor, nobody)
    if (endpoint.access.kind === 'operator') await requireOperator(deps, actor)
    requireAuthority(endpoint, actor, deps.now())
    return { actor, ...nobody }
  }
  const reached = await deps.resolveOrganization(actor, params['org_id'] ?? '')
  if (reached === undefined) throw notFound()
  exchange.orgId = reached.organization.id
  const { organization } = reached
  const admitted = toAdmitted(actor, reached)
  requireAccess(endpoint, actor, admitted)
  requireAuthority(endpoint, actor, deps.now())
  return { actor, organization, ...admitted }
}

/**
 * Returns whether the same request would still be admitted: its credential, organization and role. Takes nothing from
 * an allowance, and requires no recent password.
 */
export async function isStillAuthorized(
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
    requireAccess(endpoint, actor, reached === undefined ? nobody : toAdmitted(actor, reached))
    return true
  } catch (error) {
    // The request would be refused. Other errors concern the caller of this function.
    if (error instanceof Problem) return false
    throw error
  }
}

function toAdmitted(actor: Actor, { role, grants }: ReachedOrganization): Admitted {
  return { role, permissions: permissionsOf(actor, role, grants) }
}

async function requireOperator({ isOperator }: ActorDeps, actor: Actor): Promise<void> {
  if (actor.type === 'user' && !(await isOperator(actor))) throw operatorRefused()
}

/** Identifies the sender behind the guard. */
async function authenticate(deps: ActorDeps, exchange: Exchange): Promise<Actor> {
  const actor = await checkGuarded(deps.guard, exchange.ip, (beforeLookup) =>
    deps.authenticate({ ...credentialsOf(exchange), beforeLookup }),
  )
  if (actor !== undefined) return actor
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
