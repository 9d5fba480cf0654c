import { Problem } from '@signalbox/contract'
import type { Actor } from '../http/actor.ts'
import type { Scope } from '../store/scope.ts'

/** Who asks for something about test runs, and how far he reaches. */
export interface Caller {
  readonly orgId: string
  readonly scope: Scope
  /** `null`: every environment. */
  readonly environmentIds: readonly string[] | null
}

export function toCaller(request: {
  readonly actor: Actor
  readonly organization: { readonly id: string }
  readonly scope: Scope
}): Caller {
  const { actor, organization, scope } = request
  const environmentIds = actor.type === 'api_key' ? actor.environmentIds : null
  return { orgId: organization.id, scope, environmentIds }
}

/** Whether the caller may know of what belongs to an environment. What belongs to none is for those who see all. */
function reaches({ environmentIds }: Caller, environmentId: string | null): boolean {
  return (
    environmentIds === null || (environmentId !== null && environmentIds.includes(environmentId))
  )
}

/** @throws {Problem} `key_scope_forbidden` */
export function requireReach(caller: Caller, environmentId: string | null): void {
  if (reaches(caller, environmentId)) return
  const detail =
    'This API key is restricted to certain environments. Use one without the restriction, or a personal access token.'
  throw new Problem('key_scope_forbidden', detail)
}
