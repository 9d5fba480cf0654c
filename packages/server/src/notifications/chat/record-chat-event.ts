import type { Egress } from '../../egress/create-egress.ts'
import { EgressError } from '../../egress/egress-error.ts'
import type { ChatConnection } from '../../integrations/grants/chat-access.ts'
import type { ChannelCheck, ChatEvent } from '../../providers/chat/chat.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { renameDefaultChannel } from './chat-channel.ts'
import { saveDefaultChannelHealth, saveLearnedUrl } from '../../integrations/chat-rows.ts'
import { defaultRouteId } from '../routing/match-route.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { releaseNotifications } from '../sending/release-notifications.ts'
import { listRouteRows, saveChannelCheck } from '../routing/route-rows.ts'

/** Lists what following a chat needs. */
export interface ChatEventDeps extends Pick<NotificationDeps, 'store' | 'chat' | 'jobs' | 'now'> {
  readonly egress: Pick<Egress, 'requireSendable'>
}

/** Says what came of an event. */
export type ChatEventOutcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'ignored'; readonly reason: string }

/** Names the integration that an event is about. */
export interface ChatEventTarget {
  readonly orgId: string
  readonly integrationId: string
}

const done: ChatEventOutcome = { outcome: 'done' }
const ignored = (reason: string): ChatEventOutcome => ({ outcome: 'ignored', reason })

/**
 * Follows what a chat workspace reports. Events may come late, twice and in any order, so each is a reason to ask how it is
 * now, and that is what is kept: an uninstallation of yesterday does not end the connection of today.
 *
 * @throws {ProviderError} when the workspace cannot be asked: again later.
 */
export async function recordChatEvent(
  deps: ChatEventDeps,
  target: ChatEventTarget,
  event: ChatEvent,
): Promise<ChatEventOutcome> {
  switch (event.type) {
    case 'uninstalled':
    case 'tokensRevoked':
      return checkAccess(deps, target)
    case 'channel':
      return followChannel(deps, target, event.channelId)
    case 'address':
      return moveTo(deps, target, event.url)
    case 'ignored':
      return ignored(event.reason)
  }
}

/** Calls the workspace itself: opening it records that it refuses our access. */
async function checkAccess(
  { chat }: ChatEventDeps,
  { orgId }: ChatEventTarget,
): Promise<ChatEventOutcome> {
  try {
    await (await chat.open(orgId)).checkAccess()
    return ignored('The workspace still accepts Signalbox’s access.')
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'unauthorized') return done
    throw error
  }
}

async function followChannel(
  deps: ChatEventDeps,
  { orgId, integrationId }: ChatEventTarget,
  channelId: string,
): Promise<ChatEventOutcome> {
  const { store, chat } = deps
  const connection = await store.transaction({ orgId }, (tx) => chat.findConnection(tx, orgId))
  if (connection?.integrationId !== integrationId)
    return ignored('The integration is no longer connected.')
  if (!(await isUsed(deps, orgId, { channelId, connection }))) {
    return ignored('No route uses this channel.')
  }
  const check = await checkChannel(deps, orgId, channelId)
  if (check === 'unreachable') return ignored('The workspace no longer accepts Signalbox’s access.')
  const { name, refusedWith: reason } = check
  await store.transaction({ orgId }, async (tx) => {
    const broken = await saveChannelCheck(tx, orgId, { channelId, name, reason })
    await saveDefaultChannelHealth(tx, orgId, { channelId, reason, deliveredAt: null })
    if (name !== null) await renameDefaultChannel(tx, orgId, { id: channelId, name }, deps.now())
    if (reason !== null) return
    const isDefault = connection.defaultChannelId === channelId
    const mended = isDefault ? [...broken, defaultRouteId] : broken
    for (const routeId of mended) await releaseNotifications(deps, tx, orgId, { routeId })
  })
  return done
}

/** Calls the workspace at another address from now on, and sends what could not be sent for want of one. */
async function moveTo(
  deps: ChatEventDeps,
  target: ChatEventTarget,
  url: string,
): Promise<ChatEventOutcome> {
  const { orgId } = target
  try {
    deps.egress.requireSendable(url)
  } catch (error) {
    if (error instanceof EgressError) return ignored('Signalbox may not call the address it names.')
    throw error
  }
  await deps.store.transaction({ orgId }, async (tx) => {
    const isChanged = await saveLearnedUrl(tx, target, url)
    if (isChanged) await releaseNotifications(deps, tx, orgId, { routeId: null })
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

async function checkChannel(
  { chat }: ChatEventDeps,
  orgId: string,
  channelId: string,
): Promise<ChannelCheck | 'unreachable'> {
  try {
    return await (await chat.open(orgId)).checkChannel(channelId)
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'unauthorized') return 'unreachable'
    throw error
  }
}
