import { presentAuthor, presentCredential } from './author.ts'
import type { AuditEventRow } from './rows.ts'

/** Returns an audit event as the API and the command line show it. */
export function presentEvent(event: AuditEventRow) {
  const { id, sequence, at, actor, action, target, detail, request_id: requestId, ip } = event
  return {
    id,
    sequence,
    at: at.toISOString(),
    actor: presentAuthor(actor),
    with: presentCredential(actor),
    action,
    target,
    detail,
    requestId,
    ip,
  }
}
