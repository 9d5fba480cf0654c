import type { ChatErrorExplanation } from './chat-dialect.ts'
import type { ProviderFailure } from './provider-error.ts'

/** Holds what the service does about a failure, and what people read about it. */
export type ExplainedFailure = Pick<ChatErrorExplanation, 'reaction' | 'detail' | 'nextStep'>

const nothing = 'Nothing: it is tried again.'

/**
 * Explains each failure of a call to a chat whose code says no more. `name` is the chat's, as people write it; `subject` the
 * same where a sentence begins with it.
 */
export function explainChatFailures(
  name: string,
  subject = name,
): Readonly<Record<ProviderFailure, ExplainedFailure>> {
  return {
    unauthorized: {
      reaction: 'reconnect',
      detail: `${subject} no longer accepts our credentials.`,
      nextStep: `Connect ${name} again.`,
    },
    forbidden: {
      reaction: 'broken',
      detail: 'The workspace forbids the app to post in this channel.',
      nextStep:
        'Ask an administrator of the workspace to let the app post there, or choose another channel.',
    },
    notFound: {
      reaction: 'broken',
      detail: 'The channel cannot be found.',
      nextStep: 'Choose another channel.',
    },
    rateLimited: {
      reaction: 'wait',
      detail: `${subject} asked us to send more slowly.`,
      nextStep: nothing,
    },
    rejected: {
      reaction: 'broken',
      detail: `${subject} refused the message.`,
      nextStep: 'Send a test message. If that is refused too, report it with the code.',
    },
    unavailable: { reaction: 'retry', detail: `${subject} cannot be reached.`, nextStep: nothing },
    ambiguous: {
      reaction: 'unclear',
      detail: `${subject} did not say whether the message arrived.`,
      nextStep: nothing,
    },
  }
}
