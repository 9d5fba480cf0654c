import type { Actor } from '../http/admission/actor.ts'
import type { ReachedOrganization } from '../http/admission/authorize-actor.ts'
import type { Store } from '../store/store.ts'
import type { ApiKeyCache } from './key-cache/api-key-cache.ts'
import { listGrantsOfKey } from './members/grants/rows.ts'
import { applyPolicies } from './organizations/policies/apply-policies.ts'
import { findMembership, findOrganizationByRef } from './organizations/rows.ts'

/**
 * Returns the organization that `ref` (an id or a slug) means to `actor`, and their role in it. `undefined` for one that does
 * not exist, was deleted, or is another's: the caller of the API cannot tell which.
 *
 * @throws {Problem} as `applyPolicies` does, for a member whom the organization keeps out.
 */
export async function resolveOrganization(
  {
    store,
    keyCache,
  }: {
    readonly store: Pick<Store, 'transaction' | 'maintenance'>
    readonly keyCache: Pick<ApiKeyCache, 'findOrganization'>
  },
  actor: Actor,
  ref: string,
): Promise<ReachedOrganization | undefined> {
  if (actor.type === 'api_key') {
    const own = keyCache.findOrganization(actor.orgId)
    if (own === undefined || (ref !== own.id && ref !== own.slug)) return undefined
    // Read at each request, as those of members, so that a change counts from the next one on. Other keys have none.
    const grants =
      actor.kind === 'm2m'
        ? await store.transaction({ orgId: own.id }, (tx) =>
            listGrantsOfKey(tx, own.id, actor.keyId),
          )
        : []
    return { organization: own, role: undefined, grants }
  }
  if (actor.type === 'agent' && ref !== actor.orgId) return undefined
  if (actor.type === 'user' || actor.type === 'agent') {
    const { userId } = actor
    const membership = await store.transaction({ orgId: null, userId }, (tx) =>
      findMembership(tx, userId, ref),
    )
    if (membership === undefined) return undefined
    const { id, slug, name, role, grants } = membership
    const agentScope = applyPolicies(actor, membership)
    return { organization: { id, slug, name }, role, grants, agentScope }
  }
  const any = await store.maintenance((tx) => findOrganizationByRef(tx, ref))
  return any && { organization: { id: any.id, slug: any.slug, name: any.name }, role: 'owner' }
}
