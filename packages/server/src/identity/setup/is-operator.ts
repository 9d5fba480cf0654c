import type { Store } from '../../store/store.ts'
import { isFirstOwner } from './rows.ts'

/**
 * Returns whether a person runs this server: an owner of the organization that its set-up made. When that organization is deleted,
 * nobody does but who has the bootstrap token: the owners of another one never asked for it.
 */
export function isOperator(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  userId: string,
): Promise<boolean> {
  return store.transaction({ orgId: null, userId }, (tx) => isFirstOwner(tx, userId))
}
