import type { APIEmbed } from 'discord-api-types/v10'
import { markup, type Markup } from '../../../../../../sandbox/src/http/page.ts'
import type { Route } from '../../../../../../sandbox/src/http/route.ts'
import {
  chatPages,
  countOf,
  renderMessage,
  renderThread,
  joinLines,
} from '../../../../../../sandbox/src/models/chat-pages.ts'
import {
  findChannel,
  postedAt,
  type DiscordChannel,
  type DiscordGuild,
  type DiscordMessage,
  type DiscordState,
} from '../state.ts'
import { discordStyle } from './discord-style.ts'

/** Creates the pages of the channels, and those that links to a message lead to, `/:guild/:id/:message`. */
export function createChannelPages(state: DiscordState): readonly Route[] {
  return chatPages({
    title: 'Discord',
    mount: '/discord/channels',
    style: discordStyle,
    messagePath: '/:guild/:id/:message',
    first() {
      const [guild] = state.guilds.values()
      return [...(guild?.channels.keys() ?? [])][0] ?? ''
    },
    show(id) {
      const match = findChannel(state, id)
      if (match === undefined) return undefined
      const { guild, channel } = match
      const channels = [...guild.channels.values()]
        .filter(({ type }) => type !== 11)
        .map((one) => ({ id: one.id, label: `${signs.get(one.type) ?? '#'} ${one.name}` }))
      return {
        title: `# ${channel.name}`,
        teams: [{ name: guild.name, channels }],
        messages: messagesIn(state, guild, channel),
      }
    },
  })
}

/** Maps the types of channels to what stands before their names; `#` before all others. */
const signs = new Map<DiscordChannel['type'], string>([
  [2, '🔊'],
  [5, '📢'],
])

function messagesIn(state: DiscordState, guild: DiscordGuild, { messages }: DiscordChannel) {
  const visible = [...messages.values()].filter(({ deleted }) => !deleted)
  return visible.map((message) => showMessage(state, guild, message))
}

function showMessage(state: DiscordState, guild: DiscordGuild, message: DiscordMessage): Markup {
  const { id, authorId, replyTo, content, edits, embeds, threadId } = message
  const isApp = authorId === state.app.id
  const edited = edits > 0 ? markup` <span class="edited">(edited)</span>` : undefined
  const thread = threadId === undefined ? undefined : guild.channels.get(threadId)
  const answers = thread === undefined ? [] : messagesIn(state, guild, thread)
  const count = countOf(answers.length, 'message', 'messages')
  return renderMessage({
    id: `m${id}`,
    by: isApp ? state.app.name : 'ada',
    mark: isApp ? 'APP' : undefined,
    at: postedAt(message),
    note: replyTo === undefined ? undefined : 'replied to a message',
    content: markup`<div class="body">${renderMarkdown(content)}${edited}${embeds.map(renderEmbed)}</div>`,
    thread: thread && renderThread(thread.id, `${thread.name} · ${count}`, answers),
  })
}

function renderEmbed({
  title,
  url,
  description,
  color = 0,
  footer,
  fields = [],
}: APIEmbed): Markup {
  const text = title === undefined ? undefined : renderMarkdown(title)
  const heading =
    text === undefined || url === undefined
      ? text && markup`<span class="embed-title">${text}</span>`
      : markup`<a class="embed-title" href="${url}" rel="noreferrer">${text}</a>`
  const list = fields.map(
    ({ name, value }) => markup`<div><b>${renderMarkdown(name)}</b>${renderMarkdown(value)}</div>`,
  )
  return markup`<div class="embed" style="border-color: #${color.toString(16).padStart(6, '0')}">${heading}
${description && markup`<div class="embed-description">${renderMarkdown(description)}</div>`}
${list.length > 0 ? markup`<div class="embed-fields">${list}</div>` : undefined}
${footer && markup`<div class="embed-footer">${footer.text}</div>`}</div>`
}

/**
 * Matches one piece of formatting: an escaped character, code, a link with a label, an address, a mention, or text between two marks. The
 * order is Discord's: an escape comes first.
 */
const piece =
  /\\(?<escaped>[^\s0-9A-Za-z])|`(?<code>[^`\n]+)`|\[(?<label>(?:\\.|[^\]\\])+)\]\((?<href>https?:\/\/[^\s)]+)\)|(?<bare>https?:\/\/[^\s<)\]]+)|(?<mention><(?:@[!&]?|#)\d+>|@everyone|@here)|(?<mark>\*\*|__|~~|\|\||\*|_)(?=\S)(?<marked>(?:\\.|(?!\k<mark>)[^\\])+?)\k<mark>|:(?<emoji>\w+):/u

/** Renders Discord's Markdown. The text cannot inject HTML. */
function renderMarkdown(text: string): Markup {
  return joinLines(text.split('\n').map(renderLine))
}

function renderLine(line: string): Markup {
  const heading = /^(?<marks>#{1,3}|-#) (?<rest>.*)$/.exec(line)?.groups
  if (heading !== undefined)
    return markup`<b class="heading">${renderInline(heading['rest'] ?? '')}</b>`
  const quoted = /^> (?<rest>.*)$/.exec(line)?.groups?.['rest']
  return quoted === undefined
    ? renderInline(line)
    : markup`<span class="quote">${renderInline(quoted)}</span>`
}

function renderInline(text: string): Markup {
  const match = piece.exec(text)
  if (match === null) return markup`${text}`
  const before = text.slice(0, match.index)
  const after = text.slice(match.index + match[0].length)
  return markup`${before}${renderPiece(match)}${renderInline(after)}`
}

function renderPiece({ 0: whole, groups = {} }: RegExpExecArray): Markup {
  const { escaped, code, label, href, bare, mention, mark, marked } = groups
  if (escaped !== undefined) return markup`${escaped}`
  if (code !== undefined) return markup`<code>${code}</code>`
  if (label !== undefined) {
    return markup`<a href="${href ?? ''}" rel="noreferrer">${renderInline(label)}</a>`
  }
  if (bare !== undefined) return markup`<a href="${bare}" rel="noreferrer">${bare}</a>`
  if (mention !== undefined) return markup`<span class="mention">${mention}</span>`
  const inner = marked === undefined ? undefined : renderInline(marked)
  const render = mark === undefined ? undefined : styles.get(mark)
  return inner === undefined || render === undefined ? markup`${whole}` : render(inner)
}

/** Renders the text between two marks. */
const styles = new Map<string, (inner: Markup) => Markup>([
  ['**', (inner) => markup`<b>${inner}</b>`],
  ['__', (inner) => markup`<u>${inner}</u>`],
  ['~~', (inner) => markup`<s>${inner}</s>`],
  ['||', (inner) => markup`<span class="spoiler">${inner}</span>`],
  ['*', (inner) => markup`<i>${inner}</i>`],
  ['_', (inner) => markup`<i>${inner}</i>`],
])
