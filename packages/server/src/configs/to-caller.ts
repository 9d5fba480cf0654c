import type { Permission } from '@signalbox/contract'
import { toRestrictedCaller, type AuthorizedRequest } from '../audit/caller.ts'
import type { Caller } from '../config-model/caller.ts'

interface RequestWithPermissions extends AuthorizedRequest {
  readonly permissions: readonly Permission[]
}

/** Returns the caller that a request's actor is for the use cases of configuration. */
export function toCaller(request: RequestWithPermissions): Caller {
  const { actor, permissions } = request
  const isKey = actor.type === 'api_key'
  return {
    ...toRestrictedCaller(request),
    permissions,
    readsSecrets: isKey && actor.kind === 'm2m',
    isAgent: actor.type === 'agent',
    schemaIds: isKey ? actor.schemaIds : null,
  }
}
