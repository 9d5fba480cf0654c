import { Problem } from '@signalbox/contract'
import type { AuditAction } from '../../audit/audit-event.ts'
import type { Caller } from '../../audit/caller.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { isUsable } from '../../integrations/integration.ts'
import { notConnected } from '../../integrations/health/require-usable.ts'
import { unknownReason } from '../../read-models/notifications/message-reasons.ts'
import {
  findShownMessage,
  type ShownMessageRow,
} from '../../read-models/notifications/shown-message-rows.ts'
import type { Tx } from '../../store/store.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { lockNotificationRow, type NotificationRow } from '../rows.ts'
import { saveChannelHealth } from './channel-health.ts'
import { saveToSend } from './due-rows.ts'
import { releaseProgress, settleSeen, type Progress } from './notification-protocol.ts'

type SendDeps = Pick<NotificationDeps, 'store' | 'jobs' | 'chat' | 'now'>

/**
 * Sends a message that waits for a person once more, to the same channel. It stays the same message: one that is in the channel
 * already is updated.
 *
 * @throws {Problem} `not_found`; `conflict` when it does not wait for a person, or could arrive twice; `integration_not_connected`
 */
export async function sendAgain(
  deps: SendDeps,
  caller: Caller,
  id: string,
): Promise<ShownMessageRow> {
  return deps.store.transaction(caller.scope, async (tx) => {
    const row = await lockMessage(tx, caller, id)
    requireWaiting(row)
    await requireChat(deps, tx, caller)
    const action = 'notification.sent_again'
    return change(deps, tx, caller, { row, progress: releaseProgress(row), action })
  })
}

/**
 * Records whether a message that may have arrived is in the channel, as a person reports who has looked. A missing
 * message is sent under the same key; an existing one is left as it is.
 *
 * @throws {Problem} `not_found`; `conflict` when it is known what became of it; `integration_not_connected` where it is
 * to be sent
 */
export async function settleMessage(
  deps: SendDeps,
  caller: Caller,
  { id, isThere }: { readonly id: string; readonly isThere: boolean },
): Promise<ShownMessageRow> {
  return deps.store.transaction(caller.scope, async (tx) => {
    const row = await lockMessage(tx, caller, id)
    if (row.state !== 'broken' || row.reason !== unknownReason) {
      throw new Problem('conflict', 'Signalbox knows what became of the message. Read it again.')
    }
    if (!isThere) await requireChat(deps, tx, caller)
    const { routeId, channelId } = row
    if (channelId !== null) {
      const healthy = { routeId, channelId, reason: null, deliveredAt: isThere ? deps.now() : null }
      await saveChannelHealth(tx, caller.orgId, healthy)
    }
    const action = isThere ? 'notification.seen' : 'notification.sent_again'
    return change(deps, tx, caller, { row, progress: settleSeen(row, isThere), action })
  })
}

async function lockMessage(tx: Tx, { orgId }: Caller, id: string): Promise<NotificationRow> {
  const row = await lockNotificationRow(tx, orgId, id)
  if (row === undefined) throw notFound()
  return row
}

async function requireChat({ chat }: SendDeps, tx: Tx, { orgId }: Caller): Promise<void> {
  const connection = await chat.findConnection(tx, orgId)
  if (connection === undefined || !isUsable(connection)) throw notConnected()
}

interface Change {
  readonly row: NotificationRow
  readonly progress: Progress
  readonly action: AuditAction
}

async function change(
  deps: SendDeps,
  tx: Tx,
  { orgId, author, request }: Caller,
  { row, progress, action }: Change,
): Promise<ShownMessageRow> {
  const { id, subjectKind, subjectId } = row
  const changed: NotificationRow = { ...row, ...progress, holdUntil: null }
  await saveToSend(deps, tx, orgId, [changed])
  recordAuditEvent(tx, {
    orgId,
    actor: author,
    request,
    action,
    target: { type: 'notification', id, name: null },
    detail: { subjectKind, subjectId },
  })
  const message = await findShownMessage(tx, orgId, id)
  if (message === undefined) throw notFound()
  return message
}

function requireWaiting({ state, reason }: NotificationRow): void {
  if (state !== 'held' && state !== 'broken') {
    throw new Problem('conflict', 'The message was already sent, or is on its way.')
  }
  if (reason === unknownReason) {
    const detail =
      'Signalbox doesn’t know whether the message arrived, so sending it again could post it twice. Check the channel, and say whether it is there.'
    throw new Problem('conflict', detail)
  }
}
