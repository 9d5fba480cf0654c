import type { chatEndpoints, ResponseOf } from '@signalbox/contract/rest'
import type { ConnectorOf } from '../../integrations/connect/connectors.ts'
import { isUsable, type Integration } from '../../integrations/integration.ts'
import { presentIntegration } from '../../integrations/present-integration.ts'
import { findChatDialect } from '../../providers/chat/chat-dialects.ts'
import { absenceOfKind, choiceOfKind, displayNameOf } from '../../providers/find-provider.ts'
import { chatSettings } from '../../integrations/settings-of-kind.ts'
import { explainRouteHealth } from '../../read-models/notifications/explain-route-health.ts'

/** Presents the status of the chat. */
export function presentChat(integration: Integration | undefined, connectorOf: ConnectorOf) {
  const presented = presentIntegration('chat', integration, connectorOf)
  const { account, provider } = presented
  const isThere = presented.id !== null
  const settings = chatSettings.parse(isThere ? (integration?.settings ?? {}) : {})
  const { defaultChannelId, defaultChannelName } = settings
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
      defaultChannelId === null
        ? null
        : presentChannelHealth(integration, {
            reason: settings.defaultChannelReason,
            deliveredAt: settings.defaultChannelDeliveredAt,
          }),
  }
}

/** Describes the stored state of a channel: the code of the last rejection or of an expected one, and the time of the last delivery. */
interface StoredHealth {
  readonly reason: string | null
  readonly deliveredAt: string | null
}

/** Presents whether messages get to a channel: they do where the chat accepts them and the last one arrived, or the first one would. */
export function presentChannelHealth(
  chat: Integration | undefined,
  { reason: code, deliveredAt: lastDeliveredAt }: StoredHealth,
): ResponseOf<typeof chatEndpoints.getChat>['defaultChannelHealth'] & object {
  const ended = explainBlocked(chat)
  if (ended !== undefined) return { state: 'broken', code, ...ended, lastDeliveredAt }
  const explained = explainRouteHealth(chat?.provider ?? null, code)
  if (code !== null) return { state: 'broken', code, ...explained, lastDeliveredAt }
  return { state: lastDeliveredAt === null ? 'unused' : 'ok', code, ...explained, lastDeliveredAt }
}

/** Says why a chat accepts no message, whatever the channel; `undefined`: it accepts them. */
function explainBlocked(
  chat: Integration | undefined,
): { readonly reason: string; readonly nextStep: string } | undefined {
  if (chat === undefined || !isConnected(chat)) {
    const reason = `${absenceOfKind('chat')} is connected.`
    return { reason, nextStep: `Connect ${choiceOfKind('chat')}.` }
  }
  const name = displayNameOf(chat.provider)
  if (isUsable(chat)) return undefined
  if (chat.state === 'suspended') {
    return {
      reason: `This organization is suspended in ${name}.`,
      nextStep: `Unsuspend it in ${name}.`,
    }
  }
  return {
    reason: chat.lastError?.detail ?? `${name} revoked access.`,
    nextStep: `Connect ${name} again.`,
  }
}

function isConnected({ state }: Integration): boolean {
  return state !== 'pending' && state !== 'disconnecting' && state !== 'disconnected'
}
