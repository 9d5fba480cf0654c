import type { ChatSender } from '../../providers/chat/chat.ts'
import type { ChatErrorExplanation } from '../../providers/chat/chat-dialect.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { explainChatError } from '../../providers/chat/chat-dialects.ts'
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
  if (due === undefined) return
  const sender = await openChat(deps, orgId)
  if ('reaction' in sender) return settleUnopened(deps, notification, sender)
  const step = await beginStep(deps, notification, sender)
  if (step === undefined) return
  await settleStep(deps, orgId, step, await performStep(sender, step))
}

async function openChat(
  { chat }: NotificationDeps,
  orgId: string,
): Promise<ChatSender | ChatErrorExplanation> {
  try {
    return await chat.open(orgId)
  } catch (error) {
    if (error instanceof ProviderError) return explainChatError(error)
    throw error
  }
}
