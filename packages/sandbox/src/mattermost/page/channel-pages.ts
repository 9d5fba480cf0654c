import type { MessageAttachment } from '@mattermost/types/message_attachments'
import { html, redirect } from '../../http/answers.ts'
import { chatScript } from '../../http/chat-script.ts'
import { markup, renderPage, type Markup } from '../../http/page.ts'
import type { Answer, Route } from '../../http/route.ts'
import type { MattermostChannel, MattermostPost, MattermostState } from '../state.ts'
import { chatStyle } from './chat-style.ts'
import { renderMarkdown, type IsName } from './render-markdown.ts'

/** Creates the pages of the channels, `/` and `/:id`: the server as a member of every channel sees it. */
export function createChannelPages(state: MattermostState): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/',
      handle: ({ origin }) => {
        const first = [...state.channels.keys()][0] ?? ''
        return redirect(`${origin}/mattermost/channels/${first}`)
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
    {
      method: 'GET',
      path: '/:id',
      handle: ({ params }) => {
        const channel = state.channels.get(params['id'] ?? '')
        return channel === undefined
          ? html(renderPage('Mattermost: no such channel', markup``), 404)
          : channelPage(state, channel)
      },
    },
  ]
}

const everybody: ReadonlySet<string> = new Set(['all', 'channel', 'here'])

function channelPage(state: MattermostState, channel: MattermostChannel): Answer {
  const isName: IsName = (name) =>
    everybody.has(name.toLowerCase()) ||
    [...state.users.values()].some(({ username }) => username === name.toLowerCase())
  const posts = [...state.posts.values()].filter(
    ({ channelId, rootId, deletedAt }) =>
      channelId === channel.id && rootId === '' && deletedAt === 0,
  )
  const articles = posts.map((post) => renderPost(state, post, isName))
  const empty = markup`<p class="empty quiet">No messages yet.</p>`
  const content = markup`${renderChannelList(state, channel)}
<div class="messages">${articles.length > 0 ? articles : empty}</div>
<script src="/mattermost/channels/channel.js"></script>`
  return html(renderPage(channel.displayName, content, chatStyle))
}

function renderChannelList(state: MattermostState, current: MattermostChannel): Markup {
  const teams = [...state.teams.values()].map((team) => {
    const links = [...state.channels.values()]
      .filter(({ teamId }) => teamId === team.id)
      .map((channel) => {
        const here = channel === current ? markup` aria-current="page"` : undefined
        const mark = channel.type === 'P' ? '🔒 ' : channel.deletedAt === 0 ? '🌐 ' : '🗄️ '
        return markup`<a href="/mattermost/channels/${channel.id}"${here}>${mark}${channel.displayName}</a>`
      })
    return markup`<b>${team.displayName}</b>${links}`
  })
  return markup`<nav aria-label="Channels">${teams}</nav>`
}

function renderPost(state: MattermostState, post: MattermostPost, isName: IsName): Markup {
  const author = state.users.get(post.userId)
  const name = author?.username ?? 'somebody'
  const at = new Date(post.createdAt).toISOString()
  const isBot = author?.isBot === true
  const replies = [...state.posts.values()].filter(
    ({ rootId, deletedAt }) => rootId === post.id && deletedAt === 0,
  )
  const thread =
    replies.length === 0
      ? undefined
      : markup`<details class="thread" id="thread-${post.id}" open><summary>${replies.length === 1 ? '1 reply' : `${replies.length} replies`}</summary>
${replies.map((reply) => renderPost(state, reply, isName))}</details>`
  return markup`<article class="message" id="p${post.id}">
<span class="${isBot ? 'face app' : 'face'}" aria-hidden="true">${name.slice(0, 1).toUpperCase()}</span>
<div><span class="by">${name}</span>${isBot ? markup`<span class="app-mark">BOT</span>` : undefined}
<time datetime="${at}">${at.slice(11, 16)}</time>${post.editedAt === 0 ? undefined : markup` <span class="quiet">edited</span>`}
<div class="body">${renderMarkdown(post.message, isName)}</div>
${attachmentsOf(post).map((each) => renderAttachment(each, isName))}${thread}</div>
</article>`
}

function attachmentsOf({ props }: MattermostPost): readonly MessageAttachment[] {
  const { attachments } = props
  return Array.isArray(attachments) ? attachments : []
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Renders a title: as it is where it is a link, and as Markdown where it is none. */
function renderTitle(
  { title = '', title_link: href = '' }: MessageAttachment,
  isName: IsName,
): Markup | undefined {
  if (title === '') return undefined
  const content = /^https?:/.test(href)
    ? markup`<a href="${href}" rel="noreferrer">${title}</a>`
    : renderMarkdown(title, isName)
  return markup`<div class="attachment-title">${content}</div>`
}

function renderAttachment(attachment: MessageAttachment, isName: IsName): Markup {
  const { color = '', text = '', fields, footer = '' } = attachment
  const rows = (fields ?? []).map(
    ({ title: name = '', value }) =>
      markup`<div class="field">${name === '' ? undefined : markup`<div class="field-title">${name}</div>`}<div>${renderMarkdown(textOf(value), isName)}</div></div>`,
  )
  const bar = /^#[0-9a-f]{6}$/i.test(color) ? color : '#8d8f96'
  return markup`<div class="attachment" style="border-left-color: ${bar}">
${renderTitle(attachment, isName)}
${text === '' ? undefined : markup`<div class="body">${renderMarkdown(text, isName)}</div>`}
${rows}${footer === '' ? undefined : markup`<div class="quiet">${footer}</div>`}</div>`
}
