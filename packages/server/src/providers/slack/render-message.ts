import {
  joinTexts,
  sign,
  type ChatMessage,
  type MessageSection,
  type MessageText,
} from '../chat/chat-message.ts'
import { fitLines } from '../chat/plain-text.ts'
import { toMrkdwn, toPlainText } from './message-text.ts'

/** Holds one element of Block Kit. */
export type Block = Readonly<Record<string, unknown>>

/** Holds what a channel shows, `blocks`, and what a phone's notification shows, `text`. */
export interface SlackMessage {
  readonly text: string
  readonly blocks: readonly Block[]
}

/**
 * Lists what a message may measure, in characters. Below what Slack takes, because its limit of the whole is not documented:
 * messages of 13,172 were refused.
 *
 * @see https://docs.slack.dev/reference/block-kit/blocks
 * @see https://github.com/slackapi/bolt-js/issues/2509
 */
export const messageLimits = {
  blocks: 40,
  total: 10_000,
  section: 3_000,
  header: 150,
  text: 3_000,
} as const

/** Returns a message in Block Kit: a title, what is the matter, lists, and what is said beside it. */
export function renderMessage(message: ChatMessage): SlackMessage {
  const { tone, summary, headline, links, facts, actions, sections, footer } = message
  const go = joinTexts(
    links.map((each) => [each]),
    ' · ',
  )
  const lines = [...(links.length > 0 ? [go] : []), ...facts, ...actions.map((each) => [each])]
  return {
    text: toMrkdwn(summary),
    blocks: [
      ...(headline === null ? [] : [header([sign(tone), ' ', ...headline])]),
      ...(lines.length === 0 ? [] : [section(lines.map(toMrkdwn))]),
      ...sections.map(renderSection),
      ...(footer.length === 0 ? [] : [context(joinTexts(footer, ' · '))]),
    ],
  }
}

function renderSection({ title, ...lines }: MessageSection): Block {
  const list = fitLines(lines, messageLimits.total, toMrkdwn)
  return section([...(title === null ? [] : [toMrkdwn(title)]), ...(list === '' ? [] : [list])])
}

function header(text: MessageText): Block {
  return {
    type: 'header',
    text: { type: 'plain_text', text: toPlainText(text, messageLimits.header), emoji: false },
  }
}

// Verbatim: Slack looks for no addresses, channels or names in it.
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })

function section(lines: readonly string[]): Block {
  return { type: 'section', text: mrkdwn(lines.join('\n')) }
}

function context(text: MessageText): Block {
  return { type: 'context', elements: [mrkdwn(toMrkdwn(text))] }
}
