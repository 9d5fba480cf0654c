import { html, redirect } from '../../http/answers.ts'
import { markup, renderPage, type Markup } from '../../http/page.ts'
import type { Answer, Route } from '../../http/route.ts'
import type { SlackChannel, SlackMessage, SlackState } from '../state.ts'
import { chatScript } from '../../http/chat-script.ts'
import { chatStyle } from './chat-style.ts'
import { emojiOf } from './emoji.ts'
import { renderBlocks } from './render-blocks.ts'
import { renderMrkdwn, type NameOf } from './render-mrkdwn.ts'

/** Creates the pages of the channels, `/` and `/:id`: the workspace as a member of every channel sees it. */
export function createChannelPages(state: SlackState): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/',
      handle: ({ origin }) => {
        const first = [...state.channels.keys()][0] ?? ''
        return redirect(`${origin}/slack/channels/${first}`)
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
          ? html(renderPage('Slack: no such channel', markup``), 404)
          : channelPage(state, channel)
      },
    },
  ]
}

function channelPage(state: SlackState, channel: SlackChannel): Answer {
  const nameOf: NameOf = (id) => state.users.get(id)?.name ?? state.channels.get(id)?.name
  const visibleMessages = [...channel.messages.values()].filter((message) =>
    isShown(channel, message),
  )
  const messages = visibleMessages.map((message) => renderMessage(channel, message, nameOf))
  const empty = markup`<p class="empty quiet">No messages yet.</p>`
  const content = markup`${renderChannelList(state, channel)}
<div class="messages">${messages.length > 0 ? messages : empty}</div>
<script src="/slack/channels/channel.js"></script>`
  return html(renderPage(titleOf(channel), content, chatStyle))
}

/** Keeps a deleted message visible as a note while it has replies. */
function isShown(channel: SlackChannel, message: SlackMessage): boolean {
  if (message.deleted) return repliesTo(channel, message).length > 0
  return message.threadTs === undefined || message.broadcast
}

function renderChannelList(state: SlackState, current: SlackChannel): Markup {
  const links = [...state.channels.values()].map((channel) => {
    const here = channel === current ? markup` aria-current="page"` : undefined
    return markup`<a href="/slack/channels/${channel.id}"${here}>${titleOf(channel)}</a>`
  })
  return markup`<nav aria-label="Channels"><b>${state.team.name}</b>${links}</nav>`
}

function titleOf({ name, isPrivate, isArchived }: SlackChannel): string {
  const marks = [isPrivate ? ' (private)' : '', isArchived ? ' (archived)' : '']
  return `# ${name}${marks.join('')}`
}

function repliesTo({ messages }: SlackChannel, { ts }: SlackMessage): readonly SlackMessage[] {
  return [...messages.values()].filter(({ threadTs, deleted }) => threadTs === ts && !deleted)
}

function renderMessage(channel: SlackChannel, message: SlackMessage, nameOf: NameOf): Markup {
  const { ts, author, deleted, threadTs, broadcast } = message
  const isApp = author.botId !== undefined
  const at = new Date(Number(ts) * 1000).toISOString()
  const note = broadcast && threadTs !== undefined ? 'replied to a thread' : undefined
  const body = deleted
    ? markup`<div class="body quiet">This message was deleted.</div>`
    : markup`<div class="body">${renderContent(message, nameOf)}</div>${renderReactions(message)}${renderRevisions(message, nameOf)}`
  return markup`<article class="message" id="p${ts.replace('.', '')}">
<span class="${isApp ? 'face app' : 'face'}" aria-hidden="true">${author.realName.slice(0, 1)}</span>
<div><span class="by">${author.realName}</span>${isApp ? markup`<span class="app-mark">APP</span>` : undefined}
<time datetime="${at}">${at.slice(11, 16)}</time> <span class="quiet">${note}</span>
${body}${renderThread(channel, message, nameOf)}</div>
</article>`
}

/** Renders blocks instead of the text, which is then only for notifications. */
function renderContent(
  { text, blocks }: Pick<SlackMessage, 'text' | 'blocks'>,
  nameOf: NameOf,
): Markup {
  return blocks === undefined ? renderMrkdwn(text, nameOf) : renderBlocks(blocks, nameOf)
}

function renderReactions({ reactions }: SlackMessage): Markup | undefined {
  if (reactions.size === 0) return undefined
  const spans = [...reactions].map(
    ([name, users]) => markup`<span>${emojiOf(name)} ${users.size}</span>`,
  )
  return markup`<div class="reactions">${spans}</div>`
}

function renderRevisions({ ts, revisions }: SlackMessage, nameOf: NameOf): Markup | undefined {
  if (revisions.length === 0) return undefined
  const times = revisions.length === 1 ? 'once' : `${revisions.length} times`
  const blocks = revisions.map(
    (
      revision,
    ) => markup`<div class="revision"><time datetime="${revision.at.toISOString()}">${revision.at.toISOString().slice(11, 19)}</time>
<div class="body">${renderContent(revision, nameOf)}</div></div>`,
  )
  return markup`<details class="revisions" id="revisions-${ts}"><summary>edited ${times}</summary>${blocks}</details>`
}

function renderThread(
  channel: SlackChannel,
  message: SlackMessage,
  nameOf: NameOf,
): Markup | undefined {
  const replies = repliesTo(channel, message)
  if (replies.length === 0) return undefined
  const count = replies.length === 1 ? '1 reply' : `${replies.length} replies`
  return markup`<details class="thread" id="thread-${message.ts}" open><summary>${count}</summary>
${replies.map((reply) => renderMessage(channel, reply, nameOf))}</details>`
}
