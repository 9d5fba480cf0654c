import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import { listEventRows, type AuditEventRow, type AuditFilter } from './rows.ts'

export interface ListAuditEvents {
  readonly orgId: string
  readonly scope: Scope
  readonly filter: AuditFilter
  /** The sequence that the page before ended with. */
  readonly beforeSequence: number | undefined
  readonly limit: number
}

/** Lists a page of an organization's audit events, newest first. */
export async function listAuditEvents(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  { orgId, scope, filter, ...page }: ListAuditEvents,
): Promise<readonly AuditEventRow[]> {
  return store.transaction(scope, (tx) => listEventRows(tx, orgId, filter, page))
}
