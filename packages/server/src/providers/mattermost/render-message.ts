import {
  joinTexts,
  sign,
  type ChatMessage,
  type MessageSection,
  type MessageText,
  type TextRun,
  type Tone,
} from '../chat/chat-message.ts'
import { fitLines, toAddress } from '../chat/plain-text.ts'
import { addressSpecial, toMarkdown, toShownText, toTitle } from './message-text.ts'

/** Describes a part of an attachment, with a title of its own. */
export interface MattermostField {
  /** Mattermost reads no markup in it. */
  readonly title: string
  readonly value: string
  readonly short: boolean
}

/** Describes a message attachment. @see https://developers.mattermost.com/integrate/reference/message-attachments/ */
export interface MattermostAttachment {
  readonly fallback: string
  readonly color: string
  /** Mattermost reads markup in it only where it leads nowhere. */
  readonly title: string
  readonly title_link?: string
  readonly text: string
  readonly fields: readonly MattermostField[]
  readonly footer: string
}

/** Holds what a channel shows: one attachment. */
export interface MattermostMessage {
  readonly attachments: readonly MattermostAttachment[]
}

/** Lists what a message may measure, in characters. Mattermost takes more, and shows no more than a page of it well. */
export const messageLimits = {
  total: 10_000,
  fallback: 1_000,
  title: 250,
  fieldTitle: 200,
  footer: 300,
} as const

const colors: Readonly<Record<Tone, string>> = {
  waiting: '#8d8f96',
  progress: '#1c58d9',
  success: '#1a8a5a',
  failure: '#c8373a',
  replaced: '#8d8f96',
  reverted: '#8d8f96',
  warning: '#c97a00',
  inactive: '#8d8f96',
  changed: '#7a5cc4',
}

/** Returns a message as an attachment: a colour, a title, what is the matter, lists as fields, and what is said beside it. */
export function renderMessage(message: ChatMessage): MattermostMessage {
  const { tone, summary, links, facts, actions, sections, footer } = message
  // The footer of an attachment is plain text, so links of it go where links are, or below where there are none.
  const footerLinks = footer.flatMap((text) => text.filter(isLink))
  const beside = footer
    .map((text) => text.filter((run) => !isLink(run)))
    .filter((text) => text.length > 0)
  const all = [joinLinks([...links, ...footerLinks])].filter((text) => text.length > 0)
  const lines = [
    ...(links.length > 0 ? all : []),
    ...facts,
    ...actions.map((each) => [each]),
    ...(links.length > 0 ? [] : all),
  ]
  const attachment = {
    fallback: toShownText(summary, messageLimits.fallback),
    color: colors[tone],
    ...renderTitle(message),
    text: lines.map(toMarkdown).join('\n'),
    fields: sections.map(renderSection),
    footer: toShownText(joinTexts(beside, ' · '), messageLimits.footer),
  }
  return { attachments: [attachment] }
}

/** Leads where the first link does, as titles of attachments do. */
function renderTitle({
  tone,
  headline,
  links,
}: ChatMessage): Pick<MattermostAttachment, 'title' | 'title_link'> {
  if (headline === null) return { title: '' }
  const title = [sign(tone), ' ', ...headline]
  const [url] = links.flatMap((each) => each.url ?? [])
  const address = url === undefined ? undefined : toAddress(url, addressSpecial)
  return address === undefined
    ? { title: toTitle(title, messageLimits.title) }
    : { title: toShownText(title, messageLimits.title), title_link: address }
}

function isLink(run: TextRun): run is Extract<TextRun, { readonly type: 'link' }> {
  return typeof run !== 'string' && run.type === 'link'
}

function joinLinks(links: readonly TextRun[]): MessageText {
  return joinTexts(
    links.map((each) => [each]),
    ' · ',
  )
}

function renderSection({ title, ...lines }: MessageSection): MattermostField {
  return {
    title: title === null ? '' : toShownText(title, messageLimits.fieldTitle),
    value: fitLines(lines, messageLimits.total, toMarkdown),
    short: false,
  }
}
