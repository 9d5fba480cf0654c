import type { Caller } from '../../audit/caller.ts'
import { Problem } from '@signalbox/contract'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { isUsable } from '../../integrations/integration.ts'
import { notConnected } from '../../integrations/health/require-usable.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { releaseProgress } from './notification-protocol.ts'
import { enqueueSend } from './enqueue-send.ts'
import {
  findShownMessage,
  type ShownMessageRow,
} from '../../read-models/notifications/shown-message-rows.ts'
import { lockNotificationRow, saveNotificationRows, type NotificationRow } from '../rows.ts'

/**
 * Sends a message that waits for a person once more, to the same channel. It stays the same message: one that is in the channel
 * already is updated.
 *
 * @throws {Problem} `not_found`; `conflict` when it does not wait for a person, or could arrive twice; `integration_not_connected`
 */
export async function sendAgain(
  deps: Pick<NotificationDeps, 'store' | 'jobs' | 'chat' | 'now'>,
  { orgId, scope, author, request }: Caller,
  id: string,
): Promise<ShownMessageRow> {
  return deps.store.transaction(scope, async (tx) => {
    const row = await lockNotificationRow(tx, orgId, id)
    if (row === undefined) throw notFound()
    requireWaiting(row)
    const connection = await deps.chat.findConnection(tx, orgId)
    if (connection === undefined || !isUsable(connection)) throw notConnected()
    const released: NotificationRow = { ...row, ...releaseProgress(row), holdUntil: null }
    await saveNotificationRows(tx, orgId, [released], deps.now())
    await enqueueSend(deps, tx, orgId, released)
    recordAuditEvent(tx, {
      orgId,
      actor: author,
      request,
      action: 'notification.sent_again',
      target: { type: 'notification', id, name: null },
      detail: { subjectKind: row.subjectKind, subjectId: row.subjectId },
    })
    const message = await findShownMessage(tx, orgId, id)
    if (message === undefined) throw notFound()
    return message
  })
}

function requireWaiting({ state, reason }: NotificationRow): void {
  if (state !== 'held' && state !== 'broken') {
    throw new Problem('conflict', 'The message was already sent, or is on its way.')
  }
  if (reason === 'outcome_unknown') {
    const detail =
      'Signalbox doesn’t know whether the message arrived, so sending it again could post it twice. Check the channel.'
    throw new Problem('conflict', detail)
  }
}
