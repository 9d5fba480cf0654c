import type { ChatMessage } from './chat-message.ts'
import type { ProviderError } from '../provider-error.ts'

/**
 * Lists what follows from an error of a chat.
 *
 * - `retry`: nothing was done; again later.
 * - `unclear`: it may have been done; again later, with the same key.
 * - `wait`: again when the provider says.
 * - `join`: enter the channel, then again.
 * - `shrink`: the message is too large for the provider; again with less.
 * - `broken`: nothing arrives there until a person does something.
 * - `reconnect`: the same for the whole integration.
 * - `deleted`: a person took the message away.
 * - `frozen`: the message stays as it is; what changes goes to its thread.
 */
export type ChatReaction =
  | 'retry'
  | 'unclear'
  | 'wait'
  | 'join'
  | 'shrink'
  | 'broken'
  | 'reconnect'
  | 'deleted'
  | 'frozen'

/** Explains an error of a chat, in words for people. */
export interface ChatErrorExplanation {
  readonly reaction: ChatReaction
  /** The provider's own code, such as `not_in_channel`. */
  readonly code: string
  /** Says what is the matter. It names the code only where no table explains that. */
  readonly detail: string
  /** Says what a person does about it. */
  readonly nextStep: string
  readonly retryAt: Date | undefined
}

/** Describes how a chat is written to and what its answers mean. Nothing of it calls the provider. */
export interface ChatDialect {
  /** Returns a message as this provider is sent it: messages that read the same are equal. */
  readonly render: (message: ChatMessage) => unknown
  readonly explainError: (
    error: Pick<ProviderError, 'code' | 'failure' | 'retryAt'>,
  ) => ChatErrorExplanation
  /** Explains a code that a message was refused with earlier; one that is not known as well. */
  readonly explainCode: (code: string) => Pick<ChatErrorExplanation, 'detail' | 'nextStep'>
  /** Tells a person why a channel that they named cannot be found. */
  readonly unknownChannel: string
  /** Returns where people open a workspace whose address is not known. */
  readonly workspaceUrl: (accountId: string) => string
}
