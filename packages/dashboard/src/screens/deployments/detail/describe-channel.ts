import { labelChannel } from '@signalbox/contract'
import type { Message } from './detail.ts'

/** Names the channel of a message. The name of one that was sent may not be known any more. */
export function describeChannel({
  channelName,
  state,
}: Pick<Message, 'channelName' | 'state'>): string {
  if (channelName !== null) return labelChannel(channelName)
  return state === 'live' || state === 'gone' ? 'Earlier channel' : 'No channel'
}
