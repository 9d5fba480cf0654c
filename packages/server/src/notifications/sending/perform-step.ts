import type { ChatReference, ChatSender } from '../../providers/chat/chat.ts'
import type { ChatErrorExplanation } from '../../providers/chat/chat-dialect.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { explainChatError } from '../../providers/chat/chat-dialects.ts'
import { toChange } from '../messages/render-notice.ts'
import type { BegunStep } from './begin-step.ts'
import { keyOfMessage } from './message-key.ts'
import { keyName, type StepOutcome } from './notification-protocol.ts'

/** Describes the outcome of a step, and the address of the message. */
export interface PerformedStep {
  readonly outcome: StepOutcome
  readonly messageUrl: string | null
}

/** Makes one call to the provider, and one to join the channel where that is required. Returns rejections, and never throws them. */
export async function performStep(sender: ChatSender, step: BegunStep): Promise<PerformedStep> {
  const outcome = await attempt(sender, step)
  return { outcome, messageUrl: await findMessageUrl(sender, step, outcome) }
}

async function attempt(sender: ChatSender, step: BegunStep): Promise<StepOutcome> {
  try {
    return await call(sender, step)
  } catch (error) {
    const explanation = explainRejection(error)
    const mayJoin = explanation.reaction === 'join' && step.row.reason !== 'joined'
    return mayJoin ? join(sender, step.channelId, explanation) : { type: 'failed', explanation }
  }
}

/** Explains a rejection of the provider. @throws any other error */
export function explainRejection(error: unknown): ChatErrorExplanation {
  if (error instanceof ProviderError) return explainChatError(error)
  throw error
}

async function call(
  sender: ChatSender,
  { row, step, message, channelId, thread }: BegunStep,
): Promise<StepOutcome> {
  const key = keyOfMessage(keyName(row.id, row, step))
  const broadcast = row.subjectKind === 'deployment_failure'
  const target = { channelId, key, thread, broadcast }
  switch (step.type) {
    case 'post':
      return { type: 'posted', reference: await sender.post(message, target) }
    case 'find': {
      const reference = await sender.find?.({ ...target, since: step.since })
      return reference === undefined ? { type: 'absent' } : { type: 'posted', reference }
    }
    case 'update':
      await sender.update(step.reference, message)
      return { type: 'done' }
    case 'reply':
      await sender.post(toChange(message), {
        channelId: step.reference.channelId,
        key,
        thread: thread ?? step.reference,
      })
      return { type: 'done' }
  }
}

async function join(
  sender: ChatSender,
  channelId: string,
  explanation: ChatErrorExplanation,
): Promise<StepOutcome> {
  if (sender.join === undefined) return { type: 'failed', explanation }
  try {
    await sender.join(channelId)
    return { type: 'joined' }
  } catch (error) {
    const explained = explainRejection(error)
    // The app stays out for good because it is not in the channel, whatever the provider answered to the attempt.
    const isPassing = ['wait', 'retry', 'reconnect'].includes(explained.reaction)
    return { type: 'failed', explanation: isPassing ? explained : explanation }
  }
}

/** Finds the address of a message. A failed call returns `null`: the message is sent, with or without its address. */
async function findMessageUrl(
  sender: ChatSender,
  { row }: BegunStep,
  outcome: StepOutcome,
): Promise<string | null> {
  if (outcome.type !== 'posted') return row.messageUrl
  return row.subjectKind === 'deployment' ? findUrl(sender, outcome.reference) : null
}

async function findUrl(sender: ChatSender, reference: ChatReference): Promise<string | null> {
  try {
    return (await sender.findUrl?.(reference)) ?? null
  } catch (error) {
    if (error instanceof ProviderError) return null
    throw error
  }
}
