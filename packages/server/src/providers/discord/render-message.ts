import {
  joinTexts,
  link,
  sign,
  type ChatMessage,
  type MessageSection,
  type MessageText,
  type Tone,
} from '../chat/chat-message.ts'
import { cutText, toAddress, toPlainText } from '../chat/plain-text.ts'
import { addressSpecial, toMarkdown, toTitle } from './message-text.ts'

/** Holds the one embed of a message. */
export interface DiscordEmbed {
  readonly title?: string
  readonly url?: string
  readonly description?: string
  readonly color: number
  readonly footer?: { readonly text: string }
}

/** Holds what a channel shows. */
export interface DiscordMessage {
  readonly embeds: readonly DiscordEmbed[]
}

/**
 * Lists what an embed may measure, in characters. All of its parts together may have 6,000.
 *
 * @see https://docs.discord.com/developers/resources/message#embed-object-embed-limits
 */
const messageLimits = {
  title: 256,
  description: 4_096,
  footer: 1_500,
  threadName: 100,
  total: 6_000,
} as const

const colors: Readonly<Record<Tone, number>> = {
  waiting: 0xf0b232,
  progress: 0x5865f2,
  success: 0x23a55a,
  failure: 0xf23f43,
  replaced: 0x80848e,
  reverted: 0xf0b232,
  warning: 0xf0b232,
  inactive: 0x80848e,
  changed: 0x5865f2,
}

/** Returns what a message is found by: the last eleven characters of its footer. */
export function markOf(key: string): string {
  return `id ${Buffer.from(key.replaceAll('-', ''), 'hex').subarray(0, 8).toString('base64url')}`
}

/** Returns a message as an embed. `key`: it is posted, and may have to be looked for by the mark in its footer. */
export function renderMessage(message: ChatMessage, key?: string): DiscordMessage {
  const { tone, headline, links, footer } = message
  const url = headline === null ? undefined : links.flatMap((each) => each.url ?? [])[0]
  const address = url === undefined ? undefined : toAddress(url, addressSpecial)
  const { plain } = splitFooter(footer)
  const small = cutText(toPlainText(joinTexts(plain, ' · ')), messageLimits.footer)
  const text = [small, key === undefined ? '' : markOf(key)].filter((part) => part !== '')
  const description = renderDescription(message)
  return {
    embeds: [
      {
        ...(headline !== null && {
          title: toTitle([sign(tone), ' ', ...headline], messageLimits.title),
        }),
        ...(address !== undefined && { url: address }),
        ...(description !== '' && { description }),
        color: colors[tone],
        ...(text.length > 0 && { footer: { text: text.join(' · ') } }),
      },
    ],
  }
}

/** Returns the name of the thread in which more is said about a message. */
export function renderThreadName({ summary }: ChatMessage): string {
  const name = toPlainText(summary).replaceAll(/\s+/g, ' ').trim()
  return cutText(name === '' ? 'Details' : name, messageLimits.threadName / 2)
}

function leads(text: MessageText): boolean {
  return text.some((run) => typeof run === 'object' && run.type === 'link' && run.url !== null)
}

/** Parts of a footer that lead somewhere stand beside the other links: Discord takes no links in small type. */
function splitFooter(footer: ChatMessage['footer']): {
  readonly plain: readonly MessageText[]
  readonly linked: readonly MessageText[]
} {
  return {
    plain: footer.filter((text) => !leads(text)),
    linked: footer.filter(leads),
  }
}

function renderDescription(message: ChatMessage): string {
  const { headline, summary, links, facts, actions, sections, footer } = message
  const { linked } = splitFooter(footer)
  const below = links.length > 0 ? '' : toMarkdown(joinTexts(linked, ' · '))
  const go = joinTexts([...links.map((each) => [each]), ...linked], ' · ')
  const texts = [...(links.length > 0 ? [go] : []), ...facts, ...actions.map((each) => [each])]
  const said = texts.length > 0 || sections.length > 0 || headline !== null ? texts : [summary]
  const whole = wholeShareOf(sections)
  const maxLengths = sections.map(({ share }) => Math.floor(share * whole))
  const ofLists = maxLengths.reduce((sum, maxLength) => sum + maxLength + 1, 0)
  const top = fitLines(said.map(toMarkdown), {
    maxLength: messageLimits.description - ofLists - Math.min(below.length, belowMax) - 20,
    hidden: 0,
    moreUrl: null,
  })
  const last = below.length <= belowMax ? below : ''
  const lists = sections.map((section, at) => renderSection(section, maxLengths[at] ?? 0))
  return [top, ...lists, last].filter((part) => part !== '').join('\n')
}

/** Holds how long the line of links below may be, in characters. */
const belowMax = 1_100

/** Returns the room of a list whose share is 1. Lists whose shares are more than there is have less each. */
function wholeShareOf(sections: readonly MessageSection[]): number {
  const shares = sections.reduce((sum, { share }) => sum + share, 0)
  return Math.min(3_200, (messageLimits.description - belowMax - 320) / shares)
}

function renderSection(
  { title, lines, hidden, moreUrl }: MessageSection,
  maxLength: number,
): string {
  const heading = title === null ? '' : toMarkdown(title)
  const list = fitLines(lines.map(toMarkdown), {
    maxLength: maxLength - heading.length - 2,
    hidden,
    moreUrl,
  })
  // Space sets a list apart that has a title.
  const text = [heading, list].filter((part) => part !== '').join('\n')
  return heading === '' ? text : `\n${text}`
}

/** Returns as many lines as fit below each other; the last says how many are missing. Example: `and 12 more`. */
function fitLines(
  lines: readonly string[],
  {
    maxLength,
    hidden,
    moreUrl,
  }: { readonly maxLength: number; readonly hidden: number; readonly moreUrl: string | null },
): string {
  for (let count = lines.length; count >= 0; count -= 1) {
    const missing = lines.length - count + hidden
    const more = missing > 0 ? [toMarkdown([link(moreUrl, `and ${missing} more`)])] : []
    const text = [...lines.slice(0, count), ...more].join('\n')
    if (text.length <= maxLength) return text
  }
  return maxLength >= 1 ? '…' : ''
}
