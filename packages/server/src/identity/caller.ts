import type { Actor } from '../http/admission/actor.ts'
import type { Scope } from '../store/scope.ts'
import type { AuditRequest } from '../audit/audit-event.ts'

/** Describes the actor of a use case, and the origin of the request. */
export interface Caller {
  /** Never an API key: keys manage neither people nor keys. */
  readonly actor: Exclude<Actor, { readonly type: 'api_key' }>
  readonly scope: Scope
  readonly request: AuditRequest
}

interface RequestOfPerson extends Pick<Caller, 'actor' | 'scope'> {
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string | undefined
}

/** Returns the caller of a request, as use cases take it. */
export function toCaller({ actor, scope, ...request }: RequestOfPerson): Caller {
  return { actor, scope, request: toAuditRequest(request) }
}

/** Returns what is kept of a request in the audit log. */
export function toAuditRequest({
  requestId,
  ip,
  userAgent,
}: Omit<RequestOfPerson, 'actor' | 'scope'>): AuditRequest {
  return { requestId, ip, userAgent }
}
