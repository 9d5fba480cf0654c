import type { MessageMetadata } from '@slack/types'
import type { SlackBlock } from './blocks/slack-block.ts'
import type { SlackChannel, SlackMessage, SlackRevision } from './state.ts'

/** Describes a message as tests see it. */
export interface SlackMessageView {
  readonly ts: string
  /** Example: `signalbox`. */
  readonly author: string
  readonly text: string
  /** Holds the blocks as they were sent. */
  readonly blocks: readonly SlackBlock[] | undefined
  readonly editCount: number
  /** Lists the earlier versions of the message, oldest first. */
  readonly revisions: readonly SlackRevision[]
  /** Lists the replies, oldest first. */
  readonly thread: readonly SlackMessageView[]
  /** Says whether a reply is shown in the channel as well. */
  readonly broadcast: boolean
  readonly clientMsgId: string | undefined
  readonly metadata: MessageMetadata | undefined
}

/** Returns the messages of a channel, oldest first, each with its thread. Deleted messages and their replies are left out. */
export function viewMessages({ messages }: SlackChannel): readonly SlackMessageView[] {
  const visibleMessages = [...messages.values()].filter(({ deleted }) => !deleted)
  const view = (message: SlackMessage): SlackMessageView => ({
    ts: message.ts,
    author: message.author.name,
    text: message.text,
    blocks: message.blocks,
    editCount: message.revisions.length,
    revisions: [...message.revisions],
    thread: visibleMessages.filter(({ threadTs }) => threadTs === message.ts).map(view),
    broadcast: message.broadcast,
    clientMsgId: message.clientMsgId,
    metadata: message.metadata,
  })
  return visibleMessages.filter(({ threadTs }) => threadTs === undefined).map(view)
}
