import type { ChatErrorExplanation } from '../../providers/chat-dialect.ts'
import { findChatDialect } from '../../providers/chat-dialects.ts'
import type { ProviderError } from '../../providers/provider-error.ts'

/** Explains a call to a chat that failed, in the words of its provider. */
export function explainChatError(error: ProviderError): ChatErrorExplanation {
  return findChatDialect(error.provider).explainError(error)
}
