import type { NotificationDeps } from '../notification-deps.ts'
import { lockNotificationRows, type NotificationRef, type NotificationRow } from '../rows.ts'
import type { BegunStep } from './begin-step.ts'
import { saveChannelHealth } from './channel-health.ts'
import { lockDueRow, saveToSend } from './due-rows.ts'
import { pauseCalls } from './limit-rate.ts'
import { nextAttemptAt, settleProgress, settleUnopenedProgress } from './notification-protocol.ts'
import { explainRejection, type PerformedStep } from './perform-step.ts'

/** Stores the outcome of a step, and adds the job for the next one. */
export async function settleStep(
  deps: NotificationDeps,
  orgId: string,
  step: BegunStep,
  performed: PerformedStep,
): Promise<void> {
  const { outcome } = performed
  await deps.store.transaction({ orgId }, async (tx) => {
    const now = deps.now()
    const rows = await lockNotificationRows(tx, orgId, step.row.subjectId)
    const row = rows.find(({ id }) => id === step.row.id)
    // Another worker took over while this call took too long; what that one writes is the truth.
    if (row === undefined || row.fence !== step.row.fence) return
    const settled = toSettled(row, step, performed, now)
    const replies = outcome.type === 'posted' ? releaseReplies(row, rows) : []
    await saveToSend(deps, tx, orgId, [settled, ...replies])
    if (outcome.type === 'failed' && outcome.explanation.retryAt !== undefined) {
      await pauseCalls(tx, orgId, step.budgets, outcome.explanation.retryAt)
    }
    const reason = settled.state === 'broken' ? settled.reason : null
    const deliveredAt = isDelivered(performed) ? now : null
    if (deliveredAt !== null || reason !== null) {
      const { routeId } = row
      await saveChannelHealth(tx, orgId, {
        routeId,
        channelId: step.channelId,
        reason,
        deliveredAt,
      })
    }
  })
}

/** Writes down that the provider refused to open the chat; throws any other error. */
export async function settleUnopened(
  deps: NotificationDeps,
  { orgId, id }: NotificationRef,
  error: unknown,
): Promise<undefined> {
  const explanation = explainRejection(error)
  await deps.store.transaction({ orgId }, async (tx) => {
    const row = await lockDueRow(deps, tx, orgId, id)
    if (row === undefined) return
    const now = deps.now()
    const progress = settleUnopenedProgress(row, explanation)
    const holdUntil = nextAttemptAt(
      progress,
      { type: 'failed', explanation },
      { repeatMs: Infinity, now },
    )
    await saveToSend(deps, tx, orgId, [{ ...row, ...progress, holdUntil }])
  })
}

function toSettled(
  row: NotificationRow,
  { step, isFailing, repeatMs }: BegunStep,
  performed: PerformedStep,
  now: Date,
): NotificationRow {
  const progress = settleProgress(row, step, performed.outcome)
  return {
    ...row,
    ...progress,
    messageUrl: performed.messageUrl,
    leaseUntil: null,
    holdUntil: nextAttemptAt(progress, performed.outcome, { repeatMs, now }),
    reportedFailure: isDelivered(performed)
      ? hasReportedFailure(row, isFailing)
      : row.reportedFailure,
  }
}

function isDelivered({ outcome }: PerformedStep): boolean {
  return outcome.type === 'posted' || outcome.type === 'done'
}

/** Returns whether the failure is reported. An integration that works again may fail again; a deployment fails once. */
function hasReportedFailure(
  { subjectKind, reportedFailure }: NotificationRow,
  isFailing: boolean,
): boolean {
  return subjectKind === 'integration' ? isFailing : reportedFailure || isFailing
}

/** Returns what waited for the message of a deployment, to be posted in its thread. */
function releaseReplies(
  message: NotificationRow,
  rows: readonly NotificationRow[],
): NotificationRow[] {
  if (message.subjectKind !== 'deployment') return []
  return rows
    .filter((row) => row.routeId === message.routeId && row.id !== message.id)
    .map((row) => ({ ...row, holdUntil: null }))
}
