import type { ChatPostMessageResponse } from '@slack/web-api'
import type { SlackBlock } from '../blocks/slack-block.ts'
import type { SlackChannel, SlackMessage, SlackState } from '../state.ts'

/** Returns a message as the methods show it. Blocks without an id get one, as with Slack. */
export function messageObject(
  state: SlackState,
  channel: SlackChannel,
  message: SlackMessage,
  withMetadata = true,
) {
  const { ts, author, text, blocks, metadata, threadTs } = message
  const messageJson = {
    type: 'message',
    ...(message.broadcast && { subtype: 'thread_broadcast' }),
    user: author.id,
    ts,
    ...botFields(state, message),
    text,
    team: state.team.id,
    ...(message.revisions.length > 0 && {
      edited: { user: author.id, ts: `${Math.floor(message.writtenAt.getTime() / 1000)}.000000` },
    }),
    ...(withMetadata && metadata !== undefined && { metadata }),
    ...(threadTs !== undefined && { thread_ts: threadTs }),
    ...threadFields(channel, message),
    ...(message.reactions.size > 0 && {
      reactions: [...message.reactions].map(([name, users]) => ({
        name,
        users: [...users],
        count: users.size,
      })),
    }),
  } satisfies ChatPostMessageResponse['message'] & { edited?: object; reactions?: object }
  // The official response type lacks header blocks, so the blocks are not checked against it.
  return blocks === undefined ? messageJson : { ...messageJson, blocks: withIds(blocks) }
}

function withIds(blocks: readonly SlackBlock[]): readonly SlackBlock[] {
  return blocks.map((block, index) => ({ block_id: `b${index}`, ...block }))
}

function botFields({ app, team, clock }: SlackState, { author }: SlackMessage) {
  if (author.botId === undefined) return {}
  return {
    bot_id: author.botId,
    app_id: app.id,
    bot_profile: {
      id: author.botId,
      app_id: app.id,
      user_id: author.id,
      name: app.name,
      deleted: false,
      updated: Math.floor(clock.now().getTime() / 1000),
      team_id: team.id,
    },
  }
}

function threadFields({ messages }: SlackChannel, { ts }: SlackMessage) {
  const replies = [...messages.values()].filter((reply) => reply.threadTs === ts && !reply.deleted)
  const latest = replies.at(-1)
  if (latest === undefined) return {}
  const users = [...new Set(replies.map(({ author }) => author.id))]
  return {
    thread_ts: ts,
    reply_count: replies.length,
    reply_users_count: users.length,
    reply_users: users,
    latest_reply: latest.ts,
  }
}
