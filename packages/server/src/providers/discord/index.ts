import { clientFields, toClient } from '../client-application.ts'
import { valueOf } from '../context.ts'
import type { ChatProvider } from '../provider.ts'
import { createDiscordApi } from './api.ts'
import { createDiscordConnector } from './connector.ts'
import { discordDialect } from './dialect.ts'
import { createPauses } from './pauses.ts'
import { parseDiscordEvent } from './webhook-events.ts'
import { discordWebhooks } from './webhooks.ts'

const publicKey = /^[0-9a-f]{64}$/i

/** Describes Discord. */
export const discord: ChatProvider = {
  name: 'discord',
  kind: 'chat',
  displayName: 'Discord',
  icon: { letters: 'DI', hue: 275 },
  dialect: discordDialect,
  addresses: [
    {
      name: 'web',
      setting: 'WEB_URL',
      default: 'https://discord.com',
      meaning: 'URL of Discord in a browser, at which a server is added.',
    },
    {
      name: 'api',
      setting: 'API_URL',
      default: 'https://discord.com/api',
      meaning: 'URL of the Discord API, without its version.',
    },
  ],
  application: {
    fields: [
      ...clientFields('the Discord application'),
      {
        name: 'botToken',
        setting: 'BOT_TOKEN',
        meaning: 'Token of the application’s bot, which writes the messages of every organization.',
        label: 'Bot token',
        role: 'secret',
        hint: 'Under Bot, press Reset Token. Switch on Requires OAuth2 Code Grant there as well, or connecting is refused.',
      },
      {
        name: 'publicKey',
        setting: 'PUBLIC_KEY',
        meaning: 'Public key that proves that a webhook event came from Discord.',
        label: 'Public key',
        role: 'webhookSecret',
        hint: 'Under General Information. It proves webhook events, which are optional.',
        check: {
          accepts: (text) => publicKey.test(text),
          advice: 'Copy the public key of the application: 64 digits and letters from a to f.',
        },
      },
    ],
    registerUrl: ({ addresses }) => `${valueOf(addresses, 'web')}/developers/applications`,
    scopes: ['bot', 'identify'],
    events: ['APPLICATION_AUTHORIZED', 'APPLICATION_DEAUTHORIZED'],
  },
  capabilities: {
    sendMessages: { needs: ['EMBED_LINKS'], without: 'Messages arrive without their content.' },
    listChannels: {
      needs: ['VIEW_CHANNEL'],
      without: 'Signalbox lists only channels that admit the bot on their own.',
    },
    joinChannels: {
      needs: ['SEND_MESSAGES'],
      without: 'Signalbox posts only in channels that allow the bot to send messages.',
    },
    findMessages: {
      needs: ['READ_MESSAGE_HISTORY'],
      without:
        'Signalbox can’t look for a message whose answer was lost, so such a message waits for a person.',
    },
  },
  limits: [
    'Discord doesn’t tell Signalbox that a channel was deleted or renamed, or that the bot was removed. The next message shows it.',
    'Forums, voice channels and media channels take no messages.',
  ],
  openConnector: ({ addresses, egress, now }, { values }) =>
    createDiscordConnector({
      webUrl: valueOf(addresses, 'web'),
      apiUrl: valueOf(addresses, 'api'),
      client: toClient({ values }),
      botToken: valueOf(values, 'botToken'),
      egress,
      now,
    }),
  openCalls({ addresses, application }) {
    // One bot writes for every organization of this server, so that they share its limits.
    const pauses = createPauses()
    const guilds = new Map<string, string>()
    return ({ account, call, requireConnected, refreshAccess }) => {
      const registered = application()
      if (registered === undefined) return undefined
      return createDiscordApi({
        call,
        webUrl: valueOf(addresses, 'web'),
        apiUrl: valueOf(addresses, 'api'),
        botToken: valueOf(registered.values, 'botToken'),
        guildId: account.id,
        requireConnected,
        refreshAccess,
        pauses,
        guilds,
      })
    }
  },
  webhooks: {
    scheme: discordWebhooks,
    parse: (_event, body) => parseDiscordEvent(body),
  },
}
