import type { ChatDirectory, ChatSender } from '../providers/chat.ts'
import { createSlackApi } from '../providers/slack/api.ts'
import { openWithGrant, type OpenWithGrantDeps } from './open-with-grant.ts'

/** The workspace that an organization has connected. @throws {Problem} `integration_not_connected`, `reauth_required` */
export type OpenChat = (orgId: string) => Promise<ChatSender & ChatDirectory>

export function createOpenChat(deps: OpenWithGrantDeps): OpenChat {
  return async (orgId) => {
    const { integration, call, withAccessToken } = await openWithGrant(deps, orgId, 'chat')
    const { scopes } = integration
    return createSlackApi({ call, apiUrl: deps.gate.addresses.slackApi, withAccessToken, scopes })
  }
}
