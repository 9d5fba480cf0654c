import type { Actor } from '../http/admission/actor.ts'
import type { Scope } from '../store/scope.ts'
import type { AuditRequest } from '../audit/audit-event.ts'
import { toAuditRequest } from '../audit/caller.ts'

/** Describes the actor of a use case, and the origin of the request. */
export interface Caller {
  /** Never an API key or an assistant: they manage neither people nor keys. */
  readonly actor: Exclude<Actor, { readonly type: 'api_key' | 'agent' }>
  readonly scope: Scope
  readonly request: AuditRequest
}

type RequestOfPerson = Pick<Caller, 'actor' | 'scope'> & Parameters<typeof toAuditRequest>[0]

/** Returns the caller of a request, as use cases take it. */
export function toCaller(request: RequestOfPerson): Caller {
  const { actor, scope } = request
  return { actor, scope, request: toAuditRequest(request) }
}
