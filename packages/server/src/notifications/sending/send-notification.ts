import type { NotificationDeps } from '../notification-deps.ts'
import type { NotificationRef } from '../rows.ts'
import { beginStep } from './begin-step.ts'
import { lockDueRow } from './due-rows.ts'
import { performStep } from './perform-step.ts'
import { settleStep, settleUnopened } from './settle-step.ts'

/**
 * Makes the next call that brings a message up to date: a post, an update, or a reply in its thread. Safe to repeat at
 * any time, by any number of workers. Records a rejection of the provider instead of throwing it.
 */
export async function sendNotification(
  deps: NotificationDeps,
  notification: NotificationRef,
): Promise<void> {
  const { orgId, id } = notification
  const due = await deps.store.transaction({ orgId }, (tx) => lockDueRow(deps, tx, orgId, id))
  const settleError = (error: unknown) => settleUnopened(deps, notification, error)
  const sender = due && (await deps.chat.open(orgId).catch(settleError))
  const step = sender && (await beginStep(deps, notification, sender))
  if (sender && step) await settleStep(deps, orgId, step, await performStep(sender, step))
}
