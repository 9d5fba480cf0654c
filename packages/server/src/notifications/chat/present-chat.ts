import type { ConnectorOf } from '../../integrations/connect/connectors.ts'
import type { Integration } from '../../integrations/integration.ts'
import { presentIntegration } from '../../integrations/present-integration.ts'
import { findChatDialect } from '../../providers/chat-dialects.ts'
import { chatSettings } from '../../integrations/settings-of-kind.ts'
import { explainRouteHealth } from '../../read-models/notifications/explain-route-health.ts'

/** Presents the status of the chat. */
export function presentChat(integration: Integration | undefined, connectorOf: ConnectorOf) {
  const presented = presentIntegration('chat', integration, connectorOf)
  const { account, provider } = presented
  const isThere = presented.id !== null
  const settings = chatSettings.parse(isThere ? (integration?.settings ?? {}) : {})
  const { defaultChannelId, defaultChannelName, defaultChannelReason } = settings
  return {
    ...presented,
    workspace: account && {
      id: account.id,
      name: account.name,
      url: account.url ?? findChatDialect(provider)?.workspaceUrl(account.id) ?? '',
    },
    defaultChannelId,
    defaultChannelName,
    defaultChannelHealth:
      defaultChannelId === null ? null : presentChannelHealth(provider, defaultChannelReason),
  }
}

/** Presents whether messages get to a channel, by the code that the last one was refused with. */
export function presentChannelHealth(provider: string | null, reason: string | null) {
  return {
    state: reason === null ? ('ok' as const) : ('broken' as const),
    ...explainRouteHealth(provider, reason),
  }
}
