import { newId } from '../crypto/ids.ts'
import { addressSubject } from '../http/client-address.ts'
import type { Tx } from '../store/store.ts'
import { toKeptUserAgent, type AuditEvent } from './audit-event.ts'

const appendSql =
  'select append_audit_event($1, $2, $3::json, $4, $5::json, $6::json, $7, $8, $9) as sequence'

/**
 * Appends an event to the chain of its organization, in the transaction of the change it tells of: both are
 * committed or neither is. The database gives the time and the hash.
 *
 * Takes the lock of the chain, so it comes last in a transaction. The organization must be that of the
 * transaction's scope.
 */
export async function recordAuditEvent(tx: Tx, event: AuditEvent): Promise<void> {
  const { orgId, actor, action, target, detail = {}, request } = event
  await tx.query({
    name: 'append-audit-event',
    text: appendSql,
    values: [
      orgId,
      newId('evt', new Date()),
      JSON.stringify(actor),
      action,
      JSON.stringify(target),
      JSON.stringify(detail),
      request?.requestId ?? null,
      request === undefined ? null : addressSubject(request.ip),
      toKeptUserAgent(request?.userAgent),
    ],
  })
}

/** Appends an event from a maintenance transaction, which belongs to no organization by itself. */
export async function recordMaintenanceEvent(tx: Tx, event: AuditEvent): Promise<void> {
  await tx.query({
    name: 'name-audit-chain',
    text: `select set_config('app.org_id', $1, true)`,
    values: [event.orgId],
  })
  await recordAuditEvent(tx, event)
}
