import { z } from 'zod'
import type { ChannelChange, ChatEvent } from '../chat/chat.ts'
import { readForeignJson } from '../../egress/foreign-json.ts'

/** Some events name the channel, and some show it. */
const channel = z.union([
  z.string().transform((id) => ({ id, name: null })),
  z.object({
    id: z.string(),
    name: z
      .string()
      .nullish()
      .transform((name) => name ?? null),
  }),
])

const envelope = z.object({ event: z.object({ type: z.string() }) })
const channelEvent = z.object({ event: z.object({ channel }) })
const revokedEvent = z.object({
  event: z.object({ tokens: z.object({ bot: z.array(z.unknown()).nullish() }) }),
})

/** Private channels are groups to Slack. */
const channelChanges = new Map<string, ChannelChange>([
  ['channel_rename', 'renamed'],
  ['group_rename', 'renamed'],
  ['channel_archive', 'archived'],
  ['group_archive', 'archived'],
  ['channel_unarchive', 'unarchived'],
  ['group_unarchive', 'unarchived'],
  ['channel_deleted', 'deleted'],
  ['group_deleted', 'deleted'],
  ['channel_left', 'left'],
  ['group_left', 'left'],
])

const ignored = (reason: string): ChatEvent => ({ type: 'ignored', reason })

/** Reads whether our token was revoked: the same event reports tokens of people. */
function readRevoked(payload: unknown): ChatEvent {
  const { data } = revokedEvent.safeParse(payload)
  const bots = data?.event.tokens.bot?.length ?? 0
  return bots > 0
    ? { type: 'tokensRevoked' }
    : ignored('Slack revoked only tokens of people, which Signalbox doesn’t use.')
}

/**
 * Reads what an event of Slack tells us. Never throws: what cannot be read, and what is none of ours, is `ignored` with a reason.
 *
 * @see https://docs.slack.dev/reference/events
 */
export function parseSlackEvent(body: Buffer): ChatEvent {
  const payload = readForeignJson(body)
  if (payload === undefined) return ignored('The body is not valid JSON.')
  const { data } = envelope.safeParse(payload)
  if (data === undefined) return ignored('The body contains no event.')
  const { type } = data.event
  if (type === 'app_uninstalled') return { type: 'uninstalled' }
  if (type === 'tokens_revoked') return readRevoked(payload)
  const change = channelChanges.get(type)
  if (change === undefined) return ignored('Signalbox doesn’t use this event.')
  const channel = channelEvent.safeParse(payload).data?.event.channel
  if (channel === undefined) return ignored('The event has no channel.')
  return { type: 'channel', change, channelId: channel.id, name: channel.name }
}
