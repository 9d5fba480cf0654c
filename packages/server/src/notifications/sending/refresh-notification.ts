import type { ChatDialect } from '../../providers/chat/chat-dialect.ts'
import { getChatDialect } from '../../providers/chat/chat-dialects.ts'
import type { Tx } from '../../store/store.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { renewMessage } from './notification-protocol.ts'
import { hashMessage } from '../messages/render-subject.ts'
import { listRouteRows } from '../routing/route-rows.ts'
import {
  insertNotificationRows,
  listNotificationRows,
  lockNotificationRows,
  type NotificationRow,
} from '../rows.ts'
import { findSubjectOfProof } from '../../read-models/notifications/proof-views.ts'
import { findDeploymentOfRun } from '../../read-models/notifications/subject-rows.ts'
import type { EventSubject, Subject } from '../subject.ts'
import { findDesiredMessages, type DesiredMessage } from './desired-messages.ts'
import { saveToSend } from './due-rows.ts'

/** Names what changed. */
export interface RefreshRequest {
  readonly orgId: string
  readonly subject: EventSubject
}

/**
 * Writes down what the messages of a subject are to say. Where that is something else than before, its revision grows
 * and a job to send it is added. Calls no provider.
 */
export async function refreshNotifications(
  deps: NotificationDeps,
  { orgId, subject: of }: RefreshRequest,
): Promise<void> {
  await deps.store.transaction({ orgId }, async (tx) => {
    const subject = await findSubject(tx, orgId, of)
    if (subject === undefined) return
    const connection = await deps.chat.findConnection(tx, orgId)
    if (connection === undefined) return
    const desired = await findDesiredMessages(deps, tx, {
      orgId,
      subject,
      routes: await listRouteRows(tx, orgId),
      defaultChannelId: connection.defaultChannelId,
      existing: await listNotificationRows(tx, orgId, subject.id),
    })
    if (desired.length === 0) return
    await insertNotificationRows(tx, orgId, desired, deps.now())
    const rows = await lockNotificationRows(tx, orgId, subject.id)
    const dialect = getChatDialect(connection.provider)
    const changed = rows.flatMap((row) => changesOf(row, desired, { dialect, now: deps.now() }))
    await saveToSend(deps, tx, orgId, changed)
  })
}

async function findSubject(tx: Tx, orgId: string, of: EventSubject): Promise<Subject | undefined> {
  if (of.type === 'proof') return findSubjectOfProof(tx, orgId, of.id)
  if (of.type !== 'testRun') return of
  const id = await findDeploymentOfRun(tx, orgId, of.id)
  return id === undefined ? undefined : { type: 'deployment', id }
}

interface RefreshContext {
  readonly dialect: ChatDialect
  readonly now: Date
}

/** The row as it has to be for its message to be sent; nothing where it is so already. */
function changesOf(
  row: NotificationRow,
  desired: readonly DesiredMessage[],
  context: RefreshContext,
): NotificationRow[] {
  const message = desired.find(
    ({ subjectKind, routeId }) => subjectKind === row.subjectKind && routeId === row.routeId,
  )
  if (message === undefined) return []
  const next = toDesired(row, message, context)
  return isEqualRow(next, row) ? [] : [next]
}

function isEqualRow(one: NotificationRow, other: NotificationRow): boolean {
  return (
    one.desiredRev === other.desiredRev &&
    one.contentHash === other.contentHash &&
    one.state === other.state &&
    one.reason === other.reason &&
    one.channelId === other.channelId &&
    one.generation === other.generation &&
    one.holdUntil?.getTime() === other.holdUntil?.getTime()
  )
}

function toDesired(
  row: NotificationRow,
  message: DesiredMessage,
  { dialect, now }: RefreshContext,
): NotificationRow {
  const hash = hashMessage(dialect, message.message)
  const renewed = {
    ...row,
    ...renewMessage(row, {
      isFailing: message.isFailing,
      reportedFailure: row.reportedFailure,
      recurs: row.subjectKind === 'integration',
    }),
  }
  const routed = renewed.reference === null ? route(renewed, message.channelId) : renewed
  const isUnsent = routed.reference === null && routed.sentRev === 0 && routed.failures === 0
  const isUrgent = message.holdMs === 0 && isUnsent && routed.reason === null
  return {
    ...routed,
    contentHash: hash,
    desiredRev: hash === row.contentHash ? row.desiredRev : row.desiredRev + 1,
    holdUntil: isUrgent ? null : hold(routed, message.holdMs, now),
  }
}

function hold(row: NotificationRow, holdMs: number, now: Date): Date | null {
  return row.desiredRev === 0 ? new Date(now.getTime() + holdMs) : row.holdUntil
}

/** Sets the channel of a message. Without one the message is held, with that as its reason. */
function route(row: NotificationRow, channelId: string | null): NotificationRow {
  // A post that may have arrived is repeated in the same channel.
  if (row.ambiguous && row.channelId !== null) return row
  if (channelId === null) {
    return row.state === 'wanted' ? { ...row, state: 'held', reason: 'no_channel' } : row
  }
  const isReady = row.state === 'held' && row.reason === 'no_channel'
  return { ...row, channelId, ...(isReady ? { state: 'wanted' as const, reason: null } : {}) }
}
