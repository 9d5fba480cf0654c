import type { Store } from '../../store/store.ts'
import { isFirstOwner } from './rows.ts'

/**
 * Returns whether a person is an operator: an owner of the organization that the set-up made. Once that organization is deleted,
 * only the bootstrap token is left: owners of other organizations do not become operators.
 */
export function isOperator(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  userId: string,
): Promise<boolean> {
  return store.transaction({ orgId: null, userId }, (tx) => isFirstOwner(tx, userId))
}
