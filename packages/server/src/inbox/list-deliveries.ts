import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import {
  pageDeliveries,
  type DeliveryFilter,
  type DeliveryPosition,
  type DeliveryRow,
} from './delivery-rows.ts'

/** Describes a page of the webhooks of an organization. */
export interface ListDeliveries extends DeliveryFilter {
  readonly orgId: string
  readonly after: DeliveryPosition | undefined
  readonly limit: number
}

/** Lists webhooks of an organization, newest first, one more than `limit` when there are more. */
export async function listDeliveries(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  scope: Scope,
  { after, limit, ...filter }: ListDeliveries,
): Promise<DeliveryRow[]> {
  return store.transaction(scope, (tx) => pageDeliveries(tx, filter, { after, limit: limit + 1 }))
}
