import { newId } from '../crypto/ids.ts'
import { addressSubject } from '../http/admission/client-address.ts'
import type { Tx } from '../store/store.ts'
import { toKeptUserAgent, type AuditEvent, type Maker } from './audit-event.ts'
import { makerOf } from './author.ts'

const appendSql =
  'select append_audit_event($1, $2, $3::json, $4, $5::json, $6::json, $7, $8, $9) as sequence'

/**
 * Appends an event to the chain of its organization, in the transaction of the change it tells of: both are
 * committed or neither is. The database gives the time and the hash.
 *
 * It takes the lock of the chain, which every writer of the organization wants, and so goes with the commit. The
 * organization must be that of the transaction's scope.
 */
export function recordAuditEvent(tx: Tx, event: AuditEvent): void {
  const { orgId, actor, action, target, detail = {}, request } = event
  const maker: Maker = request === undefined ? actor : makerOf({ author: actor, request })
  tx.atCommit({
    name: 'append-audit-event',
    text: appendSql,
    values: [
      orgId,
      newId('evt', new Date()),
      JSON.stringify(maker),
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
export function recordMaintenanceEvent(tx: Tx, event: AuditEvent): void {
  tx.atCommit({
    name: 'enter-organization',
    text: `select set_config('app.org_id', $1, true)`,
    values: [event.orgId],
  })
  recordAuditEvent(tx, event)
}
