import type { ChatConnection } from '../integrations/chat-access.ts'
import { findIntegrationRow } from '../integrations/rows.ts'
import type { ChatChannel, ChatEvent } from '../providers/chat.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { Tx } from '../store/store.ts'
import { renameDefaultChannel } from './chat-channel.ts'
import { saveDefaultChannelHealth } from './default-channel-rows.ts'
import { defaultRouteId } from './match-route.ts'
import type { NotificationDeps } from './notification-deps.ts'
import { releaseNotifications } from './release-notifications.ts'
import { listRouteRows, saveSeenChannel } from './route-rows.ts'

export type ChatEventDeps = Pick<NotificationDeps, 'store' | 'chat' | 'jobs' | 'now'>

export type ChatEventOutcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'ignored'; readonly reason: string }

/** Whose integration an event is about. */
export interface ChatEventPlace {
  readonly orgId: string
  readonly integrationId: string
}

const done: ChatEventOutcome = { outcome: 'done' }
const ignored = (reason: string): ChatEventOutcome => ({ outcome: 'ignored', reason })

/**
 * Follows what a chat workspace tells. Events may come late, twice and in any order, so each is a reason to ask how it is
 * now, and that is what is kept: an uninstallation of yesterday does not end the connection of today.
 *
 * @throws {ProviderError} when the workspace cannot be asked: again later.
 */
export async function recordChatEvent(
  deps: ChatEventDeps,
  place: ChatEventPlace,
  event: ChatEvent,
): Promise<ChatEventOutcome> {
  switch (event.type) {
    case 'uninstalled':
    case 'tokensRevoked':
      return checkAccess(deps, place)
    case 'channel':
      return followChannel(deps, place, event.channelId)
    case 'ignored':
      return ignored(event.reason)
  }
}

/** Whoever opens the workspace notes that it takes our access no more. */
async function checkAccess(
  { chat }: ChatEventDeps,
  { orgId }: ChatEventPlace,
): Promise<ChatEventOutcome> {
  try {
    await (await chat.open(orgId)).checkAccess()
    return ignored('The workspace still takes our access.')
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'unauthorized') return done
    throw error
  }
}

async function followChannel(
  deps: ChatEventDeps,
  { orgId, integrationId }: ChatEventPlace,
  channelId: string,
): Promise<ChatEventOutcome> {
  const { store, chat } = deps
  const connection = await store.transaction({ orgId }, (tx) => chat.findConnection(tx, orgId))
  if (connection?.integrationId !== integrationId) return ignored('It is not connected any more.')
  if (!(await isUsed(deps, orgId, { channelId, connection }))) {
    return ignored('No message goes to this channel.')
  }
  const channel = await findChannel(deps, orgId, channelId)
  if (channel === 'unreachable') return ignored('The workspace no longer accepts our access.')
  await store.transaction({ orgId }, async (tx) => {
    const reason = await reasonOf(tx, orgId, channel)
    const name = channel?.name ?? null
    const broken = await saveSeenChannel(tx, orgId, { channelId, name, reason })
    await saveDefaultChannelHealth(tx, orgId, { channelId, reason })
    if (channel !== undefined) await renameDefaultChannel(tx, orgId, channel, deps.now())
    if (reason !== null) return
    const isDefault = connection.defaultChannelId === channelId
    const mended = isDefault ? [...broken, defaultRouteId] : broken
    for (const routeId of mended) await releaseNotifications(deps, tx, orgId, { routeId })
  })
  return done
}

interface UsedChannel {
  readonly channelId: string
  readonly connection: ChatConnection
}

async function isUsed(
  { store }: ChatEventDeps,
  orgId: string,
  { channelId, connection }: UsedChannel,
): Promise<boolean> {
  if (connection.defaultChannelId === channelId) return true
  const routes = await store.transaction({ orgId }, (tx) => listRouteRows(tx, orgId))
  return routes.some((route) => route.channelId === channelId)
}

async function findChannel(
  { chat }: ChatEventDeps,
  orgId: string,
  channelId: string,
): Promise<ChatChannel | undefined | 'unreachable'> {
  try {
    return await (await chat.open(orgId)).findChannel(channelId)
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'unauthorized') return 'unreachable'
    // A channel that the scopes do not reach any more is as good as gone.
    if (error instanceof ProviderError && error.failure === 'forbidden') return undefined
    throw error
  }
}

/** The code that a message would be refused with; `null`: it would arrive. */
async function reasonOf(
  tx: Tx,
  orgId: string,
  channel: ChatChannel | undefined,
): Promise<string | null> {
  if (channel === undefined) return 'channel_not_found'
  if (channel.isArchived) return 'is_archived'
  if (channel.isMember) return null
  const scopes = (await findIntegrationRow(tx, { orgId, kind: 'chat' }))?.scopes ?? []
  const mayEnter = scopes.includes('chat:write.public') || scopes.includes('channels:join')
  return mayEnter && !channel.isPrivate ? null : 'not_in_channel'
}
