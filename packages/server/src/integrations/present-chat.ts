import type { Connector } from './connector.ts'
import type { Integration } from './integration.ts'
import { presentIntegration } from './present-integration.ts'
import { chatSettings } from './settings-of-kind.ts'

/** How the chat stands, as people see it. */
export function presentChat(
  integration: Integration | undefined,
  connector: Connector | undefined,
) {
  const shown = presentIntegration('chat', integration, connector)
  const { account } = shown
  const isThere = shown.id !== null
  const settings = chatSettings.parse(isThere ? (integration?.settings ?? {}) : {})
  const { defaultChannelId, defaultChannelName } = settings
  return {
    ...shown,
    workspace: account && {
      id: account.id,
      name: account.name,
      url: account.url ?? `https://app.slack.com/client/${encodeURIComponent(account.id)}`,
    },
    defaultChannelId,
    defaultChannelName,
  }
}
