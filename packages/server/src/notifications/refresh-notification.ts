import type { Happening } from '../jobs/emit.ts'
import type { Tx } from '../store/store.ts'
import type { NotificationDeps } from './notification-deps.ts'
import { isBehind, renewMessage } from './notification-protocol.ts'
import { hashMessage } from './render-subject.ts'
import { listRouteRows } from './route-rows.ts'
import {
  insertNotificationRows,
  listNotificationRows,
  lockNotificationRows,
  saveNotificationRows,
  type NotificationRow,
} from './rows.ts'
import { findDeploymentOfRun } from './view-rows.ts'
import { findWantedMessages, type WantedMessage } from './want-messages.ts'

export const sendQueue = 'notifications.send'

/**
 * Writes down what the messages of a subject are to say. Where that is something else than before, its revision grows
 * and somebody is asked to send it. Calls nobody.
 *
 * @param of a deployment, a test run, an integration or a version of configuration, by its id
 */
export async function refreshNotifications(
  deps: NotificationDeps,
  { orgId, id }: Happening,
): Promise<void> {
  await deps.store.transaction({ orgId }, async (tx) => {
    const subjectId = id.startsWith('run_') ? await findDeploymentOfRun(tx, orgId, id) : id
    if (subjectId === undefined || !/^(dep|int|ver)_/.test(subjectId)) return
    const connection = await deps.chat.findConnection(tx, orgId)
    if (connection === undefined) return
    const wanted = await findWantedMessages(deps, tx, {
      orgId,
      subjectId,
      routes: await listRouteRows(tx, orgId),
      defaultChannelId: connection.defaultChannelId,
      existing: await listNotificationRows(tx, orgId, subjectId),
    })
    if (wanted.length === 0) return
    await insertNotificationRows(tx, orgId, wanted, deps.now())
    await bringUpToDate(deps, tx, { orgId, subjectId, wanted })
  })
}

async function bringUpToDate(
  deps: NotificationDeps,
  tx: Tx,
  of: {
    readonly orgId: string
    readonly subjectId: string
    readonly wanted: readonly WantedMessage[]
  },
): Promise<void> {
  const { orgId, subjectId, wanted } = of
  const now = deps.now()
  const changed: NotificationRow[] = []
  for (const row of await lockNotificationRows(tx, orgId, subjectId)) {
    const message = wanted.find(
      (one) => one.subjectKind === row.subjectKind && one.routeId === row.routeId,
    )
    if (message === undefined) continue
    const next = want(row, message, now)
    if (JSON.stringify(next) !== JSON.stringify(row)) changed.push(next)
  }
  await saveNotificationRows(tx, orgId, changed, now)
  for (const row of changed.filter(isBehind)) await enqueueSend(deps, tx, orgId, row)
}

/** The row as it has to be for the message to be sent. */
function want(row: NotificationRow, message: WantedMessage, now: Date): NotificationRow {
  const hash = hashMessage(message.message)
  const renewed = {
    ...row,
    ...renewMessage(row, {
      isFailing: message.isFailing,
      toldFailure: row.toldFailure,
      recurs: row.subjectKind === 'integration',
    }),
  }
  const placed = renewed.reference === null ? place(renewed, message.channelId) : renewed
  const isUntold = placed.reference === null && placed.sentRev === 0 && placed.failures === 0
  const isUrgent = message.holdMs === 0 && isUntold && placed.reason === null
  return {
    ...placed,
    contentHash: hash,
    desiredRev: hash === row.contentHash ? row.desiredRev : row.desiredRev + 1,
    holdUntil: isUrgent ? null : hold(placed, message.holdMs, now),
  }
}

function hold(row: NotificationRow, holdMs: number, now: Date): Date | null {
  return row.desiredRev === 0 ? new Date(now.getTime() + holdMs) : row.holdUntil
}

/** Nothing is sent while no channel is chosen; it waits with that as its reason. */
function place(row: NotificationRow, channelId: string | null): NotificationRow {
  // A post of which nobody knows whether it arrived is looked for where it was sent.
  if (row.ambiguous && row.channelId !== null) return row
  if (channelId === null) {
    return row.state === 'wanted' ? { ...row, state: 'held', reason: 'no_channel' } : row
  }
  const isReady = row.state === 'held' && row.reason === 'no_channel'
  return { ...row, channelId, ...(isReady ? { state: 'wanted' as const, reason: null } : {}) }
}

/** Asks for a message to be sent, once it may be. */
export async function enqueueSend(
  { jobs, now }: Pick<NotificationDeps, 'jobs' | 'now'>,
  tx: Tx,
  orgId: string,
  { id, holdUntil, leaseUntil }: Pick<NotificationRow, 'id' | 'holdUntil' | 'leaseUntil'>,
): Promise<void> {
  const moment = Math.max(holdUntil?.getTime() ?? 0, leaseUntil?.getTime() ?? 0)
  const startAfter = moment > now().getTime() ? { startAfter: new Date(moment) } : {}
  await jobs.enqueue(tx, sendQueue, { orgId, id }, { key: id, ...startAfter })
}
