import {
  channelPage,
  clientSettings,
  describeStandIn,
} from '../../../../../sandbox/src/models/stand-in.ts'
import { createDiscord } from './discord.ts'

/** Stands in for a server of Discord. */
export const discord = describeStandIn({
  create: createDiscord,
  /** The API is addressed without its version. */
  addresses: { discordWeb: '/discord', discordApi: '/discord/api' },
  participants: (own, at) => [
    {
      name: 'discord',
      title: 'Discord',
      kind: 'chat',
      settings: () => ({
        SIGNALBOX_DISCORD_WEB_URL: at.discordWeb,
        SIGNALBOX_DISCORD_API_URL: at.discordApi,
        ...clientSettings('DISCORD', { ...own.app, clientId: own.app.id }),
        SIGNALBOX_DISCORD_BOT_TOKEN: own.app.botToken,
        SIGNALBOX_DISCORD_PUBLIC_KEY: own.app.publicKey,
      }),
      register({ callbackUrl }) {
        own.app.redirectUris = [callbackUrl]
      },
      pages: () =>
        ['deployments', 'general'].map((name) => {
          const id = own.channelId(name)
          return channelPage(
            { id, title: `# ${name}`, url: `${at.discordWeb}/channels/${id}` },
            own.messages(name),
          )
        }),
      channel: () => own.channelId('deployments'),
    },
  ],
  switches: (_, faults) => [
    {
      name: 'discord-cut',
      title: 'Discord: posted, but no answer',
      explains: 'Posts the next message and closes the connection without an answer.',
      turn: () =>
        faults.add({ provider: 'discord', request: 'POST /channels/', fault: { kind: 'cut' } }),
    },
  ],
})
