import type { ChatErrorExplanation } from './chat-dialect.ts'
import type { ProviderFailure } from '../provider-error.ts'

/** Holds the reaction of the service to a failure, and the text for people. */
export type ExplainedFailure = Pick<ChatErrorExplanation, 'reaction' | 'detail' | 'nextStep'>

const nothing = 'Signalbox tries again.'

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
      detail: `${subject} no longer accepts Signalbox’s credentials.`,
      nextStep: `Connect ${name} again.`,
    },
    forbidden: {
      reaction: 'broken',
      detail: 'The workspace doesn’t allow the app to post in this channel.',
      nextStep:
        'Ask an administrator of the workspace to let the app post there, or choose another channel.',
    },
    notFound: {
      reaction: 'broken',
      detail: 'The channel doesn’t exist.',
      nextStep: 'Choose another channel.',
    },
    rateLimited: {
      reaction: 'wait',
      detail: `${subject} asked Signalbox to send more slowly.`,
      nextStep: nothing,
    },
    rejected: {
      reaction: 'broken',
      detail: `${subject} refused the message.`,
      nextStep: 'Send a test message. If that fails too, report it with the code.',
    },
    unavailable: { reaction: 'retry', detail: `${subject} cannot be reached.`, nextStep: nothing },
    ambiguous: {
      reaction: 'unclear',
      detail: `${subject} did not say whether the message arrived.`,
      nextStep: nothing,
    },
  }
}

/** Names a code that no table explains: it is all that is known, and what a person can report. */
export function nameChatCode<Explained extends Pick<ExplainedFailure, 'detail'>>(
  explained: Explained,
  code: string,
): Explained {
  return { ...explained, detail: `${explained.detail} The code is ${code}.` }
}
