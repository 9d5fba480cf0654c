import type { UserActor } from '../../http/admission/actor.ts'
import type { Store } from '../../store/store.ts'
import { applyPolicies } from '../organizations/policies/apply-policies.ts'
import { findOperator } from './rows.ts'

/**
 * Returns whether a person is an operator: an owner of the organization that the set-up made. Once that organization is deleted,
 * only the bootstrap token is left: owners of other organizations do not become operators.
 *
 * @throws {Problem} as `applyPolicies` does, for an owner whom that organization keeps out
 */
export async function isOperator(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  actor: UserActor,
): Promise<boolean> {
  const { userId } = actor
  const owner = await store.transaction({ orgId: null, userId }, (tx) => findOperator(tx, userId))
  if (owner !== undefined) applyPolicies(actor, owner)
  return owner !== undefined
}
