import { Problem } from '@signalbox/contract'
import type { Actor } from '../http/admission/actor.ts'
import type { RequestOrganization } from '../http/input/endpoint-request.ts'
import type { Scope } from '../store/scope.ts'
import type { AuditRequest, Author } from './audit-event.ts'
import { toAuthor, toCredential } from './author.ts'

/** Describes where a request comes from. */
interface RequestOrigin {
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string | undefined
}

/** Describes a request about an organization that was admitted. */
export interface AuthorizedRequest extends RequestOrigin {
  readonly actor: Actor
  readonly organization: RequestOrganization
  readonly scope: Scope
}

/** Names the author of a change and the request it came with, as the audit log keeps them. */
export interface Sender {
  readonly author: Author
  readonly request: AuditRequest
}

/** Describes who asks for something of an organization. */
export interface Caller extends Sender {
  readonly orgId: string
  readonly organizationName: string
  readonly scope: Scope
}

/** Describes a caller whose API key may be made for some environments only. */
export interface RestrictedCaller extends Caller {
  /** `null`: every environment, and what belongs to none. */
  readonly environmentIds: readonly string[] | null
}

/** Returns what the audit log keeps of a request. */
export function toAuditRequest({
  requestId,
  ip,
  userAgent,
  actor,
}: RequestOrigin & { readonly actor?: Actor | undefined }): AuditRequest {
  return { requestId, ip, userAgent, credential: actor && toCredential(actor) }
}

/** Returns the sender of a request, of an organization or of the server. */
export function toSender(request: RequestOrigin & { readonly actor: Actor }): Sender {
  return { author: toAuthor(request.actor), request: toAuditRequest(request) }
}

/** Returns the caller of a request whose use case respects `environmentIds`. */
export function toRestrictedCaller(authorized: AuthorizedRequest): RestrictedCaller {
  const { actor, organization, scope } = authorized
  return {
    ...toSender(authorized),
    orgId: organization.id,
    organizationName: organization.name,
    scope,
    environmentIds: environmentsOf(actor),
  }
}

/**
 * Returns the caller of a request that concerns every environment and every schema, so that a key of some is refused.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
export function toCaller(authorized: AuthorizedRequest): Caller {
  const { actor } = authorized
  const isOfSome = actor.type === 'api_key' && (actor.environmentIds ?? actor.schemaIds) !== null
  if (isOfSome) throw new Problem('key_scope_forbidden', refusedDetail('environments or schemas'))
  return toRestrictedCaller(authorized)
}

/** Returns the environments that an actor is restricted to; `null`: every environment. */
export function environmentsOf(actor: Actor): readonly string[] | null {
  return actor.type === 'api_key' ? actor.environmentIds : null
}

/**
 * Refuses an API key what belongs to an environment that it is not made for, or to none.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
export function requireEnvironment(
  { environmentIds }: Pick<RestrictedCaller, 'environmentIds'>,
  environmentId: string | null,
): void {
  if (environmentIds === null) return
  if (environmentId !== null && environmentIds.includes(environmentId)) return
  throw new Problem('key_scope_forbidden', refusedDetail('environments'))
}

function refusedDetail(what: string): string {
  return `This API key is restricted to certain ${what}. Use a key without this restriction, or a personal access token.`
}
