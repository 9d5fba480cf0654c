import type { Connector } from '../../providers/connector.ts'
import type { Integration } from '../../integrations/integration.ts'
import { presentIntegration } from '../../integrations/present-integration.ts'
import { findChatDialect } from '../../providers/chat-dialects.ts'
import { chatSettings } from '../../integrations/settings-of-kind.ts'
import { explainRouteHealth } from '../../read-models/notifications/explain-route-health.ts'

/** How the chat stands, as people see it. */
export function presentChat(
  integration: Integration | undefined,
  connector: Connector | undefined,
) {
  const shown = presentIntegration('chat', integration, connector)
  const { account } = shown
  const isThere = shown.id !== null
  const settings = chatSettings.parse(isThere ? (integration?.settings ?? {}) : {})
  const { defaultChannelId, defaultChannelName, defaultChannelReason } = settings
  return {
    ...shown,
    workspace: account && {
      id: account.id,
      name: account.name,
      url: account.url ?? findChatDialect(integration?.provider).workspaceUrl(account.id),
    },
    defaultChannelId,
    defaultChannelName,
    defaultChannelHealth:
      defaultChannelId === null ? null : presentChannelHealth(defaultChannelReason),
  }
}

/** Whether messages get to a channel, by the code that the last one was refused with. */
export function presentChannelHealth(reason: string | null) {
  return {
    state: reason === null ? ('ok' as const) : ('broken' as const),
    ...explainRouteHealth(reason),
  }
}
