import type { ChatDialect } from '../../chat/chat-dialect.ts'
import { explainChatFailures, type ExplainedFailure } from '../../chat/explain-chat-failure.ts'
import { renderText } from './render-text.ts'

const failures = explainChatFailures('Example Chat')

const codes = new Map<string, ExplainedFailure>([
  [
    'channel_closed',
    {
      reaction: 'broken',
      detail: 'The channel is closed in Example Chat.',
      nextStep: 'Open it there, or choose another one.',
    },
  ],
])

/** Describes how Example Chat is written to. */
export const exampleDialect: ChatDialect = {
  render: renderText,
  explainError: ({ code, failure, retryAt }) => ({
    ...(codes.get(code) ?? failures[failure]),
    code,
    retryAt,
  }),
  explainCode: (code) => codes.get(code) ?? failures.rejected,
  unknownChannel: 'Example Chat has no such channel.',
  workspaceUrl: (accountId) => `https://chat.example.com/${encodeURIComponent(accountId)}`,
}
