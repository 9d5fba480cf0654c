import { Problem } from '@signalbox/contract'
import type { AuditRequest, Author } from '../audit/audit-event.ts'
import { toAuthor } from '../audit/author.ts'
import type { Actor } from '../http/admission/actor.ts'
import type { RequestOrganization } from '../http/input/endpoint-request.ts'
import type { Scope } from '../store/scope.ts'

/** Describes who asks for something of an organization, and of which of its environments he may know. */
export interface EnvironmentCaller {
  readonly orgId: string
  readonly scope: Scope
  readonly author: Author
  readonly request: AuditRequest
  /** `null`: every environment, and what belongs to none. */
  readonly environmentIds: readonly string[] | null
}

/** Describes what a request says of who sends it. */
export interface AdmittedRequest {
  readonly actor: Actor
  readonly organization: RequestOrganization
  readonly scope: Scope
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string | undefined
}

/** Returns the caller of a request, as use cases take it. */
export function toEnvironmentCaller(admitted: AdmittedRequest): EnvironmentCaller {
  const { actor, organization, scope, requestId, ip, userAgent } = admitted
  return {
    orgId: organization.id,
    scope,
    author: toAuthor(actor),
    request: { requestId, ip, userAgent },
    environmentIds: environmentsOf(actor),
  }
}

/** Returns the environments that an actor is restricted to; `null`: none. */
export function environmentsOf(actor: Actor): readonly string[] | null {
  return actor.type === 'api_key' ? actor.environmentIds : null
}

/**
 * Refuses an API key what belongs to an environment that it is not made for, or to none.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
export function requireEnvironment(
  { environmentIds }: Pick<EnvironmentCaller, 'environmentIds'>,
  environmentId: string | null,
): void {
  if (environmentIds === null) return
  if (environmentId !== null && environmentIds.includes(environmentId)) return
  const detail =
    'This API key is restricted to certain environments. Use one without the restriction, or a personal access token.'
  throw new Problem('key_scope_forbidden', detail)
}
