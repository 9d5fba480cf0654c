import type { ChatDialect } from '../chat/chat-dialect.ts'
import { explainCode, explainError } from './errors.ts'
import { renderMessage } from './render-message.ts'
import { fromAccountId } from './server-url.ts'

/** Describes how Mattermost is written to. */
export const mattermostDialect: ChatDialect = {
  render: renderMessage,
  explainError,
  explainCode,
  unknownChannel:
    'The channel doesn’t exist, or it is private and the bot isn’t in it: add the bot to it in Mattermost.',
  workspaceUrl: (accountId) => fromAccountId(accountId).baseUrl,
}
