import type { Role } from '@signalbox/contract'
import { toRestrictedCaller, type AuthorizedRequest } from '../audit/caller.ts'
import { mayDo } from '../identity/roles.ts'
import type { Caller } from '../config-model/caller.ts'

interface RequestWithRole extends AuthorizedRequest {
  readonly role: Role | undefined
}

/** Returns the caller that a request's actor is for the use cases of configuration. */
export function toCaller(request: RequestWithRole): Caller {
  const { actor, role } = request
  const isKey = actor.type === 'api_key'
  return {
    ...toRestrictedCaller(request),
    readsSecrets: isKey && actor.kind === 'm2m',
    mayReveal: actor.type === 'bootstrap' || (actor.type === 'user' && mayDo(role, 'developer')),
    mayProtect: actor.type === 'bootstrap' || (actor.type === 'user' && mayDo(role, 'admin')),
    isAgent: actor.type === 'agent',
    schemaIds: isKey ? actor.schemaIds : null,
  }
}
