import type { Role } from '@signalbox/contract'
import { toAuthor } from '../audit/author.ts'
import type { Actor } from '../http/admission/actor.ts'
import type { RequestOrganization } from '../http/input/endpoint-request.ts'
import { mayDo } from '../identity/roles.ts'
import type { Scope } from '../store/scope.ts'
import type { Caller } from './caller.ts'

interface AdmittedRequest {
  readonly actor: Actor
  readonly organization: RequestOrganization
  readonly role: Role | undefined
  readonly scope: Scope
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string | undefined
}

/** Returns the caller that a request's actor is for the use cases of configuration. */
export function toCaller(request: AdmittedRequest): Caller {
  const { actor, organization, role, scope, requestId, ip, userAgent } = request
  const isKey = actor.type === 'api_key'
  return {
    orgId: organization.id,
    scope,
    author: toAuthor(actor),
    request: { requestId, ip, userAgent },
    readsSecrets: isKey && actor.kind === 'm2m',
    mayReveal: actor.type === 'bootstrap' || (actor.type === 'user' && mayDo(role, 'developer')),
    mayProtect: actor.type === 'bootstrap' || (actor.type === 'user' && mayDo(role, 'admin')),
    environmentIds: isKey ? actor.environmentIds : null,
    schemaIds: isKey ? actor.schemaIds : null,
  }
}
