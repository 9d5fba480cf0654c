import type { Caller } from '../../audit/caller.ts'
import { Problem } from '@signalbox/contract'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { Integration } from '../../integrations/integration.ts'
import { findIntegrationRow, upsertIntegrationRow } from '../../integrations/rows.ts'
import { chatSettings } from '../../integrations/settings-of-kind.ts'
import type { ChatChannel } from '../../providers/chat/chat.ts'
import type { Tx } from '../../store/store.ts'
import { requireChannel } from './find-channel.ts'
import { defaultRouteId } from '../routing/match-route.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { releaseNotifications } from '../sending/release-notifications.ts'

/**
 * Sends what no route takes to a channel from now on, and what has waited for one. Nothing is joined or posted yet.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`, `validation_failed`, `provider_error`
 */
export async function chooseDefaultChannel(
  deps: Pick<NotificationDeps, 'store' | 'chat' | 'jobs' | 'now'>,
  caller: Caller,
  channelId: string,
): Promise<Integration> {
  const channelRef = { id: channelId, pointer: '/defaultChannelId' }
  const channel = await requireChannel(deps, caller, channelRef)
  const { orgId, scope } = caller
  const chosen = await deps.store.transaction(scope, async (tx) => {
    const stored = await findIntegrationRow(tx, { orgId, kind: 'chat' }, 'for update')
    if (stored === undefined) {
      throw new Problem('integration_not_connected', 'Connect a chat workspace first.')
    }
    const settings = {
      ...stored.settings,
      defaultChannelId: channel.id,
      defaultChannelName: channel.name,
      defaultChannelReason: channel.refusedWith,
      ...(stored.settings['defaultChannelId'] !== channel.id && {
        defaultChannelDeliveredAt: null,
      }),
    }
    const integration = { ...stored, settings, revision: stored.revision + 1 }
    await upsertIntegrationRow(tx, integration, deps.now())
    recordChoice(tx, caller, integration, channel)
    const release = { routeId: defaultRouteId, channelId: channel.id }
    await releaseNotifications(deps, tx, orgId, release)
    return integration
  })
  return chosen
}

function recordChoice(
  tx: Tx,
  { orgId, author, request }: Caller,
  { id, provider }: Integration,
  channel: ChatChannel,
): void {
  recordAuditEvent(tx, {
    orgId,
    actor: author,
    request,
    action: 'integration.updated',
    target: { type: 'integration', id, name: provider },
    detail: { defaultChannelId: channel.id },
  })
}

/** Keeps the name of the default channel, where the channel is that one. */
export async function renameDefaultChannel(
  tx: Tx,
  orgId: string,
  { id, name }: Pick<ChatChannel, 'id' | 'name'>,
  now: Date,
): Promise<void> {
  const stored = await findIntegrationRow(tx, { orgId, kind: 'chat' }, 'for update')
  if (stored === undefined) return
  const { defaultChannelId, defaultChannelName } = chatSettings.parse(stored.settings)
  if (defaultChannelId !== id || defaultChannelName === name) return
  const settings = { ...stored.settings, defaultChannelName: name }
  await upsertIntegrationRow(tx, { ...stored, settings }, now)
}
