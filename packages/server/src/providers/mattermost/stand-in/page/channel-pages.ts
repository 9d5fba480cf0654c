import type { MessageAttachment } from '@mattermost/types/message_attachments'
import { markup, type Markup } from '../../../../../../sandbox/src/http/page.ts'
import type { Route } from '../../../../../../sandbox/src/http/route.ts'
import {
  chatPages,
  countOf,
  renderMessage,
  renderThread,
  joinLines,
} from '../../../../../../sandbox/src/models/chat-pages.ts'
import type { MattermostChannel, MattermostPost, MattermostState } from '../state.ts'
import { mattermostStyle } from './mattermost-style.ts'

const everybody: ReadonlySet<string> = new Set(['all', 'channel', 'here'])

/** Creates the pages of the channels: the server as a member of every channel sees it. */
export function createChannelPages(state: MattermostState): readonly Route[] {
  const { channels, teams, users, posts } = state
  const isName: IsName = (name) =>
    everybody.has(name.toLowerCase()) ||
    [...users.values()].some(({ username }) => username === name.toLowerCase())
  return chatPages({
    title: 'Mattermost',
    mount: '/mattermost/channels',
    style: mattermostStyle,
    first: () => [...channels.keys()][0] ?? '',
    show(id) {
      const channel = channels.get(id)
      if (channel === undefined) return undefined
      return {
        title: channel.displayName,
        teams: [...teams.values()].map((team) => ({
          name: team.displayName,
          channels: [...channels.values()].filter(({ teamId }) => teamId === team.id).map(toLink),
        })),
        messages: [...posts.values()]
          .filter(({ channelId, rootId }) => channelId === id && rootId === '')
          .filter(({ deletedAt }) => deletedAt === 0)
          .map((post) => showPost(state, post, isName)),
      }
    },
  })
}

function toLink({ id, type, deletedAt, displayName }: MattermostChannel) {
  const mark = type === 'P' ? '🔒' : deletedAt === 0 ? '🌐' : '🗄️'
  return { id, label: `${mark} ${displayName}` }
}

function showPost(state: MattermostState, post: MattermostPost, isName: IsName): Markup {
  const author = state.users.get(post.userId)
  const replies = [...state.posts.values()].filter(
    ({ rootId, deletedAt }) => rootId === post.id && deletedAt === 0,
  )
  return renderMessage({
    id: `p${post.id}`,
    by: author?.username ?? 'somebody',
    mark: author?.isBot === true ? 'BOT' : undefined,
    at: new Date(post.createdAt),
    note: post.editedAt === 0 ? undefined : 'edited',
    content: markup`<div class="body">${renderMarkdown(post.message, isName)}</div>
${attachmentsOf(post).map((each) => renderAttachment(each, isName))}`,
    thread: renderThread(
      post.id,
      countOf(replies.length, 'reply', 'replies'),
      replies.map((reply) => showPost(state, reply, isName)),
    ),
  })
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

/** Returns whether a name is one of a person, or of everybody. */
type IsName = (name: string) => boolean

/** Finds the marks of Markdown within a line, in the order in which they are tried. */
const inline =
  /\\(?<escaped>[\\`*_{}[\]()#$+\-.!>~|])|`(?<code>[^`]+)`|\[(?<label>(?:\\.|[^\]\\])*)\]\((?<url>[^\s()]+)\)|\*\*(?<strong>(?:\\.|[^\\])+?)\*\*|~~(?<gone>.+?)~~|(?<![\w\\])[*_](?<soft>[^\s*_](?:\\.|[^*_\\])*?)[*_](?!\w)|(?<address>(?:https?:\/\/|www\.)[^\s<>]+)|(?<![\w])@(?<mention>[\w.-]+)|(?<![\w])~(?<channel>[\w-]+)|(?<![\w&])#(?<tag>[a-z][\w-]+)|:(?<emoji>[a-z0-9_+-]+):|(?<emoticon><3|;\)|:\)|:\(|=\))/giu

/** Returns a text of Markdown as Mattermost shows it, as far as messages use it. */
function renderMarkdown(text: string, isName: IsName): Markup {
  return joinLines(text.split('\n').map((line) => renderLine(line, isName)))
}

function renderLine(line: string, isName: IsName): Markup {
  const [, marks = '', rest = ''] = /^(#{1,6} +|> ?|[-+*] +|\d+[.)] +)(.*)$/.exec(line) ?? []
  const content = renderInline(marks === '' ? line : rest, isName)
  if (marks.startsWith('#')) return markup`<h4>${content}</h4>`
  if (marks.startsWith('>')) return markup`<blockquote>${content}</blockquote>`
  return marks === '' ? content : markup`<li>${content}</li>`
}

function renderInline(text: string, isName: IsName): Markup {
  const parts: Markup[] = []
  let from = 0
  for (const match of text.matchAll(inline)) {
    parts.push(markup`${text.slice(from, match.index)}`, renderMatch(match, isName))
    from = match.index + match[0].length
  }
  parts.push(markup`${text.slice(from)}`)
  return markup`${parts}`
}

type Groups = Readonly<Record<string, string | undefined>>

function renderMatch({ 0: whole, groups = {} }: RegExpMatchArray, isName: IsName): Markup {
  const { escaped, code, emoji, emoticon } = groups
  if (escaped !== undefined) return markup`${escaped}`
  if (code !== undefined) return markup`<code>${code}</code>`
  if (isMention(groups, isName)) return markup`<span class="mention">${whole}</span>`
  if (emoji !== undefined || emoticon !== undefined) {
    return markup`<span class="emoji" title="${whole}">🙂</span>`
  }
  return renderStyled(groups, isName) ?? renderLink(groups, isName) ?? markup`${whole}`
}

function isMention({ mention, channel, tag }: Groups, isName: IsName): boolean {
  return channel !== undefined || tag !== undefined || (mention !== undefined && isName(mention))
}

function renderStyled({ strong, gone, soft }: Groups, isName: IsName): Markup | undefined {
  if (strong !== undefined) return markup`<b>${renderInline(strong, isName)}</b>`
  if (gone !== undefined) return markup`<s>${renderInline(gone, isName)}</s>`
  return soft === undefined ? undefined : markup`<i>${renderInline(soft, isName)}</i>`
}

function renderLink({ label, url, address }: Groups, isName: IsName): Markup | undefined {
  if (address !== undefined) return markup`<a href="${address}" rel="noreferrer">${address}</a>`
  return label !== undefined && url !== undefined && /^https?:/.test(url)
    ? markup`<a href="${url}" rel="noreferrer">${renderInline(label, isName)}</a>`
    : undefined
}
