import type { Sandbox } from '@signalbox/sandbox'
import { connect as installSlack } from '../../packages/server/src/providers/slack/stand-in/testing/slack-client.ts'
import { createEgress } from '../../packages/server/src/egress/create-egress.ts'
import type { ChatSender } from '../../packages/server/src/providers/chat/chat.ts'
import { openDiscord } from '../../packages/server/src/providers/discord/testing/open-discord.ts'
import { createMattermostApi } from '../../packages/server/src/providers/mattermost/api.ts'
import { createSlackApi } from '../../packages/server/src/providers/slack/api.ts'

/** Describes a chat of the sandbox, with what sends to it as the service does. */
export interface OpenedChat {
  readonly sender: ChatSender
  readonly channelId: string
  /** Leads people to the channel. */
  readonly url: string
}

/** Holds what is open. */
export interface OpenedChats {
  readonly sandbox: Sandbox
  readonly open: Readonly<Record<'slack' | 'discord' | 'mattermost', () => Promise<OpenedChat>>>
  close(): Promise<void>
}

/** Starts one sandbox, and opens each of its chats when a test asks for it. */
export async function openChats(): Promise<OpenedChats> {
  const discord = await openDiscord()
  const { sandbox } = discord
  const { addresses } = sandbox
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const callOf = (provider: string) => ({ provider, egress, now: () => sandbox.clock.now() })
  return {
    sandbox,
    open: {
      async slack() {
        const { token } = await installSlack(sandbox)
        const channelId = sandbox.slack.channelId('deployments')
        const sender = createSlackApi({
          call: callOf('slack'),
          apiUrl: addresses.slackApi,
          scopes: [],
          withAccessToken: (send) => send(token),
        })
        return { sender, channelId, url: `${addresses.slackWeb}/channels/${channelId}` }
      },
      async discord() {
        await discord.connect()
        const channelId = sandbox.discord.channelId('deployments')
        const url = `${addresses.discordWeb}/channels/${channelId}`
        return { sender: discord.open(), channelId, url }
      },
      mattermost() {
        sandbox.mattermost.setMember('Deployments', true)
        const channelId = sandbox.mattermost.channelId('Deployments')
        const baseUrl = addresses.mattermost
        const sender = createMattermostApi({
          call: callOf('mattermost'),
          baseUrl,
          account: { id: `${baseUrl}/bot`, name: 'Signalbox', url: baseUrl },
          withAccessToken: (send) => send(sandbox.mattermost.botToken),
        })
        return Promise.resolve({ sender, channelId, url: `${baseUrl}/channels/${channelId}` })
      },
    },
    async close() {
      await Promise.all([discord.close(), egress.close()])
    },
  }
}
