import { Problem } from '@signalbox/contract'
import type { AuditRequest, Author } from '../audit/audit-event.ts'
import { toAuthor } from '../audit/author.ts'
import type { Actor } from '../http/actor.ts'
import type { RequestOrganization } from '../http/endpoint-request.ts'
import type { Scope } from '../store/scope.ts'

/** Who asks for something that concerns a whole organization: its code host, its notifications. */
export interface OrganizationCaller {
  readonly orgId: string
  readonly organizationName: string
  readonly scope: Scope
  readonly author: Author
  readonly request: AuditRequest
}

interface AdmittedRequest {
  readonly actor: Actor
  readonly organization: RequestOrganization
  readonly scope: Scope
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string | undefined
}

/**
 * The caller of a request, as use cases take it. What is asked for concerns all environments, so a key of some is refused.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
export function toOrganizationCaller(admitted: AdmittedRequest): OrganizationCaller {
  const { actor, organization, scope, requestId, ip, userAgent } = admitted
  if (actor.type === 'api_key' && actor.environmentIds !== null) {
    const detail =
      'This API key is restricted to certain environments. Use one without the restriction, or a personal access token.'
    throw new Problem('key_scope_forbidden', detail)
  }
  return {
    orgId: organization.id,
    organizationName: organization.name,
    scope,
    author: toAuthor(actor),
    request: { requestId, ip, userAgent },
  }
}
