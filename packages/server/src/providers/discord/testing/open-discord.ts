import { startSandbox, visit, type Sandbox } from '@signalbox/sandbox'
import { createEgress } from '../../../egress/create-egress.ts'
import type { Connected, Connector } from '../../connector.ts'
import type { ChatDirectory, ChatSender } from '../../chat/chat.ts'
import type { ProviderContext } from '../../context.ts'
import type { ProviderError } from '../../provider-error.ts'
import { discord } from '../index.ts'

/** Holds the pretended Discord with what calls it. */
export interface OpenedDiscord {
  readonly sandbox: Sandbox
  readonly connector: Connector
  readonly context: ProviderContext
  /** Holds the failures that were reported of the connection. */
  readonly observed: (ProviderError | undefined)[]
  /** Adds the bot to the first server, as a person does. */
  readonly connect: () => Promise<Connected>
  /** Opens the calls of a server. Left out: the first, which is connected. */
  readonly open: (
    guildId?: string,
    requireConnected?: () => Promise<void>,
  ) => ChatSender & ChatDirectory
  /** Returns the bodies of requests that the pretended Discord got, oldest first. Example of a request: `POST /channels/1/messages`. */
  readonly sent: (request: string) => readonly Readonly<Record<string, unknown>>[]
  readonly close: () => Promise<void>
}

const redirectUri = 'http://127.0.0.1:4400/integrations/chat/oauth/callback'

/** Starts the pretended Discord, and opens the provider on it. */
export async function openDiscord(): Promise<OpenedDiscord> {
  const sandbox = await startSandbox()
  const egress = createEgress({ allow: ['127.0.0.1'] })
  const { app } = sandbox.discord
  app.redirectUris = [redirectUri]
  const application = {
    values: { clientId: app.id, clientSecret: app.clientSecret, botToken: app.botToken },
    webhookSecrets: [app.publicKey],
  }
  const context: ProviderContext = {
    addresses: { web: sandbox.addresses.discordWeb, api: sandbox.addresses.discordApi },
    application: () => application,
    egress,
    now: () => sandbox.clock.now(),
  }
  const connector = discord.openConnector(context, application)
  if (connector.way === 'form' || connector.way === 'shared')
    throw new Error('Discord is connected by consent')
  let openConnection = discord.openCalls(context)
  const observed: (ProviderError | undefined)[] = []
  return {
    sandbox,
    connector,
    context,
    observed,
    async connect() {
      openConnection = discord.openCalls(context)
      const url = connector.authorizeUrl({ state: 's', redirectUri, codeChallenge: undefined })
      const code = (await visit(url, 'allow', redirectUri)).get('code') ?? ''
      const connected = await connector.connect({ code, redirectUri, codeVerifier: undefined })
      if (typeof connected === 'string') throw new Error(connected)
      return connected
    },
    open(guildId = sandbox.discord.guild().id, requireConnected = () => Promise.resolve()) {
      const account = { id: guildId, name: 'Acme', url: null }
      const api = openConnection({
        account,
        scopes: [],
        call: {
          provider: 'discord',
          egress,
          now: context.now,
          observe: (failed) => observed.push(failed),
        },
        withAccessToken: () => Promise.reject(new Error('Discord has no tokens of organizations')),
        requireConnected,
        async refreshAccess() {
          const standing = await connector.readStanding?.(guildId)
          return standing?.standing === 'gone' ? 'ended' : undefined
        },
      })
      if (api === undefined) throw new Error('There is no application')
      return api
    },
    sent: (request) =>
      sandbox.log
        .list()
        .filter(({ method, path }) => `${method} ${path}`.startsWith(request))
        .map(({ body }) => (body === '' ? {} : (JSON.parse(body) as Record<string, unknown>))),
    async close() {
      await Promise.all([sandbox.close(), egress.close()])
    },
  }
}
