import { Problem } from '@signalbox/contract'
import { toAuthor } from '../audit/author.ts'
import type { Author } from '../audit/audit-event.ts'
import type { Actor } from '../http/actor.ts'
import type { RequestOrganization } from '../http/endpoint-request.ts'
import type { Scope } from '../store/scope.ts'

/** Who asks for deployments, and of which environments he may know. */
export interface Caller {
  readonly orgId: string
  readonly scope: Scope
  readonly author: Author
  /** `null`: every environment, and deployments of none. */
  readonly environmentIds: readonly string[] | null
}

/** The caller of a request, as use cases take it. */
export function toCaller({
  actor,
  organization,
  scope,
}: {
  readonly actor: Actor
  readonly organization: RequestOrganization
  readonly scope: Scope
}): Caller {
  const environmentIds = actor.type === 'api_key' ? actor.environmentIds : null
  return { orgId: organization.id, scope, author: toAuthor(actor), environmentIds }
}

/**
 * Refuses an API key an environment that it is not made for.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
export function requireEnvironment(caller: Caller, environmentId: string | null): void {
  if (caller.environmentIds === null) return
  if (environmentId !== null && caller.environmentIds.includes(environmentId)) return
  throw new Problem(
    'key_scope_forbidden',
    'This API key is restricted to certain environments. Use one without the restriction, or a personal access token.',
  )
}
