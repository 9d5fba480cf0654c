import type { ChatDialect } from '../chat/chat-dialect.ts'
import { explainCode, explainError } from './errors.ts'
import { renderMessage } from './render-message.ts'

/** Describes how Slack is written to. */
export const slackDialect: ChatDialect = {
  render: renderMessage,
  explainError,
  explainCode,
  unknownChannel:
    'The channel doesn’t exist, or it is private and the app is not in it: write "/invite @Signalbox" there.',
  workspaceUrl: (accountId) => `https://app.slack.com/client/${encodeURIComponent(accountId)}`,
}
