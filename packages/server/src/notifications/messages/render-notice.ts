import { link, type ChatMessage } from '../../providers/chat/chat-message.ts'

type Notice = Pick<ChatMessage, 'tone' | 'summary'> & Partial<ChatMessage>

/** Returns a message without a headline: its summary and its details. */
export function renderNotice({ summary, facts = [], ...parts }: Notice): ChatMessage {
  return {
    summary,
    headline: null,
    links: [],
    facts: [summary, ...facts],
    actions: [],
    sections: [],
    footer: [],
    ...parts,
  }
}

/** Returns less of a message, for a provider that refused the whole one for its size: one line, and where the rest is. */
export function toCompact({ tone, summary }: ChatMessage, moreUrl: string | null): ChatMessage {
  const actions = moreUrl === null ? [] : [link(moreUrl, 'Everything else')]
  return renderNotice({ tone, summary, actions })
}

/** Returns what is said in the thread of a message that may not be changed any more. */
export function toChange(message: ChatMessage): ChatMessage {
  return { ...message, summary: ['Now: ', ...message.summary] }
}
