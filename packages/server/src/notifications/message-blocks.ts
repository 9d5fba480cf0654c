import type { ChatMessage } from '../providers/chat.ts'
import { linkTo, toPlainLine } from './message-text.ts'

export type Block = Readonly<Record<string, unknown>>

/**
 * What a message may measure, in characters. Below what Slack takes, because its limit of the whole is not documented:
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

/** A title. Plain text: nothing in it is read as markup. */
export function header(text: string): Block {
  return {
    type: 'header',
    text: { type: 'plain_text', text: toPlainLine(text, messageLimits.header), emoji: false },
  }
}

// Verbatim: Slack looks for no addresses, channels or names in it.
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })

/** Lines of mrkdwn. Whoever makes them keeps them short enough: markup that is cut would be another. */
export function section(lines: readonly string[]): Block {
  return { type: 'section', text: mrkdwn(lines.join('\n')) }
}

/** What is said beside the matter, in small type. */
export function context(parts: readonly string[]): Block {
  return { type: 'context', elements: [mrkdwn(parts.join(' · '))] }
}

/** How many characters of a message count: those of all its texts. */
export function measureMessage({ text, blocks }: ChatMessage): number {
  return text.length + blocks.reduce((sum, block) => sum + measureText(block), 0)
}

function measureText(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + measureText(item), 0)
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce(
    (sum, [name, part]) => (name === 'type' ? sum : sum + measureText(part)),
    0,
  )
}

/** A message for a provider that refused the whole one for its size: one line, and where the rest is. */
export function toCompact({ text }: ChatMessage, moreUrl: string | null): ChatMessage {
  const more = moreUrl === null ? [] : [linkTo(moreUrl, 'Everything else')]
  return { text, blocks: [section([text, ...more])] }
}
