import { fieldOf, type SlackCall } from '../method.ts'
import type { SlackChannel } from '../state.ts'

/** Returns the channel of this id if the caller may see it. A private channel exists only for its members. */
export function findChannel(
  { state, token }: Pick<SlackCall, 'state' | 'token'>,
  id: string | undefined,
): SlackChannel | undefined {
  const channel = state.channels.get(id ?? '')
  if (channel === undefined) return undefined
  return !channel.isPrivate || channel.members.has(token.user.id) ? channel : undefined
}

/** Returns the channel of `chat.postMessage`, which takes names too: `general` or `#general`. */
export function findChannelByIdOrName(call: SlackCall): SlackChannel | undefined {
  const idOrName = fieldOf(call, 'channel') ?? ''
  const name = idOrName.replace(/^#/, '')
  const named = [...call.state.channels.values()].find((channel) => channel.name === name)
  return findChannel(call, idOrName) ?? findChannel(call, named?.id)
}

/** Returns the scope for an action in a channel: `channels:history` for a public one, `groups:history` for a private one. */
export function scopeFor({ isPrivate }: SlackChannel, action: 'read' | 'history'): string {
  return `${isPrivate ? 'groups' : 'channels'}:${action}`
}
