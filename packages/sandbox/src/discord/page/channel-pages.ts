import type { APIEmbed } from 'discord-api-types/v10'
import { html, redirect } from '../../http/answers.ts'
import { markup, renderPage, type Markup } from '../../http/page.ts'
import type { Answer, Route } from '../../http/route.ts'
import {
  findChannel,
  postedAt,
  type DiscordChannel,
  type DiscordGuild,
  type DiscordMessage,
  type DiscordState,
} from '../state.ts'
import { chatScript } from '../../http/chat-script.ts'
import { chatStyle } from './chat-style.ts'
import { renderMarkdown } from './render-markdown.ts'

/** Creates the pages of the channels, `/` and `/:id`, and those that links to a message lead to, `/:guild/:id/:message`. */
export function createChannelPages(state: DiscordState): readonly Route[] {
  const show = (id: string) => {
    const match = findChannel(state, id)
    return match === undefined
      ? html(renderPage('Discord: no such channel', markup``), 404)
      : channelPage(state, match.guild, match.channel)
  }
  return [
    {
      method: 'GET',
      path: '/',
      handle: ({ origin }) => {
        const [guild] = state.guilds.values()
        const first = [...(guild?.channels.keys() ?? [])][0] ?? ''
        return redirect(`${origin}/discord/channels/${first}`)
      },
    },
    {
      method: 'GET',
      path: '/channel.js',
      handle: () => ({
        status: 200,
        headers: { 'content-type': 'text/javascript; charset=utf-8' },
        body: chatScript,
      }),
    },
    { method: 'GET', path: '/:id', handle: ({ params }) => show(params['id'] ?? '') },
    {
      method: 'GET',
      path: '/:guild/:id/:message',
      handle: ({ params }) => show(params['id'] ?? ''),
    },
  ]
}

/** Maps the types of channels to what stands before their names; `#` before all others. */
const signs = new Map<DiscordChannel['type'], string>([
  [2, '🔊'],
  [5, '📢'],
])

function channelPage(state: DiscordState, guild: DiscordGuild, channel: DiscordChannel): Answer {
  const visible = [...channel.messages.values()].filter(({ deleted }) => !deleted)
  const messages = visible.map((message) => renderMessage(state, guild, message))
  const empty = markup`<p class="empty quiet">No messages yet.</p>`
  const links = [...guild.channels.values()]
    .filter(({ type }) => type !== 11)
    .map((each) => {
      const here = each === channel ? markup` aria-current="page"` : undefined
      return markup`<a href="/discord/channels/${each.id}"${here}>${signs.get(each.type) ?? '#'} ${each.name}</a>`
    })
  const content = markup`<nav aria-label="Channels"><b>${guild.name}</b>${links}</nav>
<div class="messages">${messages.length > 0 ? messages : empty}</div>
<script src="/discord/channels/channel.js"></script>`
  return html(renderPage(`# ${channel.name}`, content, chatStyle))
}

function renderMessage(state: DiscordState, guild: DiscordGuild, message: DiscordMessage): Markup {
  const isApp = message.authorId === state.app.id
  const name = isApp ? state.app.name : 'ada'
  const at = postedAt(message).toISOString()
  const edited = message.edits > 0 ? markup` <span class="edited">(edited)</span>` : undefined
  const reply =
    message.replyTo === undefined
      ? undefined
      : markup` <span class="quiet">replied to a message</span>`
  return markup`<article class="message" id="m${message.id}">
<span class="${isApp ? 'face app' : 'face'}" aria-hidden="true">${name.slice(0, 1).toUpperCase()}</span>
<div><span class="by">${name}</span>${isApp ? markup`<span class="app-mark">APP</span>` : undefined}
<time datetime="${at}">${at.slice(11, 16)}</time>${reply}
<div class="body">${renderMarkdown(message.content)}${edited}${message.embeds.map(renderEmbed)}</div>
${renderThread(state, guild, message)}</div>
</article>`
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

function renderThread(
  state: DiscordState,
  guild: DiscordGuild,
  { threadId }: DiscordMessage,
): Markup | undefined {
  const thread = threadId === undefined ? undefined : guild.channels.get(threadId)
  if (thread === undefined) return undefined
  const messages = [...thread.messages.values()].filter(({ deleted }) => !deleted)
  const count = messages.length === 1 ? '1 message' : `${messages.length} messages`
  return markup`<details class="thread" id="thread-${thread.id}" open><summary>${thread.name} · ${count}</summary>
${messages.map((message) => renderMessage(state, guild, message))}</details>`
}
