import type { ChatDialect } from '../chat/chat-dialect.ts'
import { explainCode, explainError } from './errors.ts'
import { renderMessage } from './render-message.ts'

/** Describes how Discord is written to. */
export const discordDialect: ChatDialect = {
  render: (message) => renderMessage(message),
  explainError,
  explainCode,
  unknownChannel:
    'The connected Discord server has no such channel, or its bot may not see it: give the bot’s role View Channel there.',
  workspaceUrl: (accountId) => `https://discord.com/channels/${encodeURIComponent(accountId)}`,
}
