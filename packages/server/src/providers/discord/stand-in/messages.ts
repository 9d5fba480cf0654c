import { json } from '../../../../../sandbox/src/http/answers.ts'
import type { Answer } from '../../../../../sandbox/src/http/route.ts'
import type { ChannelCall } from './channel-call.ts'
import { invalidForm, refuse, tooMany } from './errors.ts'
import { readMessage, type SentMessage } from './read-message.ts'
import { messageOf, threadOf } from './shapes.ts'
import {
  addChannel,
  permission,
  postedAt,
  type DiscordChannel,
  type DiscordMessage,
  type DiscordState,
} from './state.ts'

const textTypes: ReadonlySet<number> = new Set([0, 2, 5, 11])
const editAgeMs = 3_600_000
const editsOfOldMax = 3
const editsWindowMs = 20_000

/** Posts a message, or returns the one that the bot has posted with the same nonce in the window. */
export function postMessage(call: ChannelCall): Answer {
  const { state, channel } = call
  const closed = findClosed(call)
  if (closed !== undefined) return refuse(closed)
  const sent = readMessage(call.body)
  if ('violations' in sent) return invalidForm(sent.violations)
  if (sent.content === undefined && (sent.embeds?.length ?? 0) === 0) return refuse(50_006)
  const known = findByNonce(state, channel, sent)
  // The first message was deleted meanwhile: it is not posted again.
  if (known?.deleted === true) return refuse(10_008)
  if (known !== undefined) return json(messageOf(state, known))
  if (channel.rejection !== undefined) return refuse(channel.rejection)
  const message = toMessage(call, sent)
  channel.messages.set(message.id, message)
  return json(messageOf(state, message))
}

/** Returns the code with which a channel takes no message of the bot. */
function findClosed({ channel: { type, isArchived }, rights }: ChannelCall): number | undefined {
  const needed = type === 11 ? permission.sendMessagesInThreads : permission.sendMessages
  if (!textTypes.has(type)) return 50_008
  if ((rights & needed) === 0n) return 50_013
  return isArchived ? 50_083 : undefined
}

function toMessage({ state, channel, rights }: ChannelCall, sent: SentMessage): DiscordMessage {
  return {
    id: state.newId(),
    channelId: channel.id,
    authorId: state.app.id,
    content: sent.content ?? '',
    // Without the right, Discord shows the text and leaves the embeds out.
    embeds: (rights & permission.embedLinks) === 0n ? [] : (sent.embeds ?? []),
    nonce: sent.nonce,
    replyTo: sent.replyTo,
    editedAt: undefined,
    pinged: sent.mayPing,
    deleted: false,
    threadId: undefined,
    edits: 0,
  }
}

function findByNonce(
  { clock, settings, app, noncesSinceMs }: DiscordState,
  { messages }: DiscordChannel,
  { nonce, enforcesNonce }: SentMessage,
): DiscordMessage | undefined {
  if (nonce === undefined || !enforcesNonce) return undefined
  const since = Math.max(clock.now().getTime() - settings.nonceWindowMs, noncesSinceMs)
  return [...messages.values()].find(
    (message) =>
      message.nonce === nonce &&
      message.authorId === app.id &&
      postedAt(message).getTime() >= since,
  )
}

/** Edits of messages that are older than an hour, by channel. */
const editsOfOld = new WeakMap<DiscordChannel, number[]>()

/** Changes a message. Without `allowed_mentions` the defaults count, whatever the post said. */
export function changeMessage(call: ChannelCall): Answer {
  const { state, channel, request } = call
  const message = channel.messages.get(request.params['message'] ?? '')
  if (message === undefined || message.deleted) return refuse(10_008)
  if (message.authorId !== state.app.id) return refuse(50_005)
  const sent = readMessage(call.body)
  if ('violations' in sent) return invalidForm(sent.violations)
  const now = state.clock.now()
  if (now.getTime() - postedAt(message).getTime() > editAgeMs) {
    const limited = limitOldEdits(channel, now)
    if (limited !== undefined) return limited
  }
  message.content = sent.content ?? message.content
  message.embeds = sent.embeds ?? message.embeds
  message.pinged ||= sent.mayPing
  message.editedAt = now
  message.edits += 1
  return json(messageOf(state, message))
}

/** Counts an edit of a message that is older than an hour, and returns the rejection where there were too many. */
function limitOldEdits(channel: DiscordChannel, now: Date): Answer | undefined {
  const recent = (editsOfOld.get(channel) ?? []).filter((at) => at > now.getTime() - editsWindowMs)
  if (recent.length >= editsOfOldMax) {
    const { headers = {}, status } = tooMany(20)
    return { ...refuse(30_046, { retry_after: 20, global: false }), headers, status }
  }
  editsOfOld.set(channel, [...recent, now.getTime()])
  return undefined
}

/**
 * Lists messages, the newest first: those right after an id, or the newest of all. Whoever may not read the history is told that there
 * are none.
 */
export function listMessages({ state, channel, rights, request }: ChannelCall): Answer {
  const limit = Number(request.query.get('limit') ?? 50)
  if (!(limit >= 1 && limit <= 100)) {
    return invalidForm([['limit', 'NUMBER_TYPE_MAX', 'int value should be between 1 and 100.']])
  }
  if ((rights & permission.readMessageHistory) === 0n) return json([])
  const after = request.query.get('after')
  const match = [...channel.messages.values()].filter(
    ({ id, deleted }) => !deleted && BigInt(id) > BigInt(after ?? '0'),
  )
  const page = after === null ? match.slice(-limit) : match.slice(0, limit)
  return json(page.toReversed().map((message) => messageOf(state, message)))
}

/** Opens the thread of a message, once. Its id is the message's. */
export function openThread({ state, guild, channel, rights, request, body }: ChannelCall): Answer {
  const message = channel.messages.get(request.params['message'] ?? '')
  if (message === undefined || message.deleted) return refuse(10_008)
  if ((rights & permission.createPublicThreads) === 0n) return refuse(50_013)
  if (message.threadId !== undefined) return refuse(160_004)
  const name = typeof body['name'] === 'string' ? body['name'] : ''
  if (name.length < 1 || name.length > 100) {
    return invalidForm([['name', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.']])
  }
  message.threadId = message.id
  const of = { name, type: 11, id: message.id, parentId: channel.id } as const
  return json(threadOf(state, guild, addChannel(state, guild, of)), 201)
}
