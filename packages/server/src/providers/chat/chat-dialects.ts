import type { ChatDialect, ChatErrorExplanation } from './chat-dialect.ts'
import { explainChatFailures, nameChatCode } from './explain-chat-failure.ts'
import { providersOfKind } from '../find-provider.ts'
import type { ProviderError } from '../provider-error.ts'

/** Finds how a chat is written to; `undefined` when this version has no chat of that name. */
export function findChatDialect(provider: string): ChatDialect | undefined {
  return providersOfKind('chat').find(({ name }) => name === provider)?.dialect
}

/**
 * Returns how a chat is written to.
 *
 * @throws {Error} when this version has no chat of that name.
 */
export function getChatDialect(provider: string): ChatDialect {
  const dialect = findChatDialect(provider)
  if (dialect === undefined) throw new Error(`This version has no chat provider called ${provider}`)
  return dialect
}

/** Explains failures without a known chat: the organization has disconnected it. */
const withoutChat = explainChatFailures('the chat', 'The chat')

/** Explains a call to a chat that failed, in the words of its provider. */
export function explainChatError(error: ProviderError): ChatErrorExplanation {
  const { provider, failure, code, retryAt } = error
  return (
    findChatDialect(provider)?.explainError(error) ?? {
      ...nameChatCode(withoutChat[failure], code),
      code,
      retryAt,
    }
  )
}

/** Explains a code that a message was refused with. `provider`: the chat that refused it; `null` when none is known. */
export function explainChatCode(
  provider: string | null,
  code: string,
): Pick<ChatErrorExplanation, 'detail' | 'nextStep'> {
  const dialect = provider === null ? undefined : findChatDialect(provider)
  return dialect?.explainCode(code) ?? nameChatCode(withoutChat.rejected, code)
}
