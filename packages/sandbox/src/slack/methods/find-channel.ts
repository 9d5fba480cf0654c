import { fieldOf, type SlackCall } from '../method.ts'
import type { SlackChannel } from '../state.ts'

/** The channel of this id, if the caller may know of it: a private one exists only for those who are in it. */
export function findChannel(
  { state, token }: Pick<SlackCall, 'state' | 'token'>,
  id: string | undefined,
): SlackChannel | undefined {
  const channel = state.channels.get(id ?? '')
  if (channel === undefined) return undefined
  return !channel.isPrivate || channel.members.has(token.user.id) ? channel : undefined
}

/** The channel that `chat.postMessage` is for, which may be named as well: `general` or `#general`. */
export function findChannelByIdOrName(call: SlackCall): SlackChannel | undefined {
  const idOrName = fieldOf(call, 'channel') ?? ''
  const name = idOrName.replace(/^#/, '')
  const named = [...call.state.channels.values()].find((channel) => channel.name === name)
  return findChannel(call, idOrName) ?? findChannel(call, named?.id)
}

/** `channels:history` for a public channel, `groups:history` for a private one, and so on. */
export function scopeFor({ isPrivate }: SlackChannel, action: 'read' | 'history'): string {
  return `${isPrivate ? 'groups' : 'channels'}:${action}`
}
