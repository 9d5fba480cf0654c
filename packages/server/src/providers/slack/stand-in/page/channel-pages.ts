import { markup, type Markup } from '../../../../../../sandbox/src/http/page.ts'
import type { Route } from '../../../../../../sandbox/src/http/route.ts'
import {
  chatPages,
  countOf,
  renderMessage,
  renderThread,
} from '../../../../../../sandbox/src/models/chat-pages.ts'
import type { SlackChannel, SlackMessage, SlackState } from '../state.ts'
import { emojiOf } from './emoji.ts'
import { renderBlocks } from './render-blocks.ts'
import { renderMrkdwn, type NameOf } from './render-mrkdwn.ts'
import { slackStyle } from './slack-style.ts'

/** Creates the pages of the channels: the workspace as a member of every channel sees it. */
export function createChannelPages(state: SlackState): readonly Route[] {
  const { channels, users, team } = state
  const nameOf: NameOf = (id) => users.get(id)?.name ?? channels.get(id)?.name
  return chatPages({
    title: 'Slack',
    mount: '/slack/channels',
    style: slackStyle,
    first: () => [...channels.keys()][0] ?? '',
    show(id) {
      const channel = channels.get(id)
      if (channel === undefined) return undefined
      const listed = [...channels.values()].map((one) => ({ id: one.id, label: titleOf(one) }))
      const messages = [...channel.messages.values()]
        .filter((message) => isShown(channel, message))
        .map((message) => showMessage(channel, message, nameOf))
      return {
        title: titleOf(channel),
        teams: [{ name: team.name, channels: listed }],
        messages,
      }
    },
  })
}

/** Keeps a deleted message visible as a note while it has replies. */
function isShown(channel: SlackChannel, message: SlackMessage): boolean {
  if (message.deleted) return repliesTo(channel, message).length > 0
  return message.threadTs === undefined || message.broadcast
}

function titleOf({ name, isPrivate, isArchived }: SlackChannel): string {
  const marks = [isPrivate ? ' (private)' : '', isArchived ? ' (archived)' : '']
  return `# ${name}${marks.join('')}`
}

function repliesTo({ messages }: SlackChannel, { ts }: SlackMessage): readonly SlackMessage[] {
  return [...messages.values()].filter(({ threadTs, deleted }) => threadTs === ts && !deleted)
}

function showMessage(channel: SlackChannel, message: SlackMessage, nameOf: NameOf): Markup {
  const { ts, author, deleted, threadTs, broadcast } = message
  const replies = repliesTo(channel, message)
  return renderMessage({
    id: `p${ts.replace('.', '')}`,
    by: author.realName,
    mark: author.botId === undefined ? undefined : 'APP',
    at: new Date(Number(ts) * 1000),
    note: broadcast && threadTs !== undefined ? 'replied to a thread' : undefined,
    content: deleted
      ? markup`<div class="body quiet">This message was deleted.</div>`
      : markup`<div class="body">${renderContent(message, nameOf)}</div>${renderReactions(message)}${renderRevisions(message, nameOf)}`,
    thread: renderThread(
      ts,
      countOf(replies.length, 'reply', 'replies'),
      replies.map((reply) => showMessage(channel, reply, nameOf)),
    ),
  })
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
