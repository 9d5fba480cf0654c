import type { ChatDialect } from './chat-dialect.ts'
import { providersOfKind } from './find-provider.ts'

/**
 * Returns how a chat is written to. Default: the first that there is.
 *
 * @throws {Error} where the registry has no chat at all.
 */
export function findChatDialect(provider?: string): ChatDialect {
  const chats = providersOfKind('chat')
  const chat = chats.find(({ name }) => name === provider) ?? chats[0]
  if (chat === undefined) throw new Error('The registry has no chat')
  return chat.dialect
}
