import { z } from 'zod'
import type { Egress } from '../../egress/create-egress.ts'
import { callProvider, type ProviderCall } from '../call-provider.ts'
import { toBasic, type ClientApplication } from '../client-application.ts'
import type { AccountStanding, Connector } from '../connector.ts'
import { ProviderError } from '../provider-error.ts'
import { createOAuthClient } from '../oauth-client.ts'
import { apiVersion, callDiscord, userAgent, type DiscordCall } from './api-call.ts'
import { readBotMember } from './bot-member.ts'
import { createPauses } from './pauses.ts'
import { basePermissions, namesOf, permissionsInteger, wantedPermissions } from './permissions.ts'

/** Describes the Discord that organizations connect with. */
export interface DiscordConnectorOptions {
  /** Example: `https://discord.com`. */
  readonly webUrl: string
  /** Example: `https://discord.com/api`. */
  readonly apiUrl: string
  readonly client: ClientApplication
  readonly botToken: string
  readonly egress: Pick<Egress, 'fetch' | 'request'>
  readonly now: () => Date
}

const guild = z.object({ id: z.string().regex(/^\d{1,20}$/), name: z.string() })

/**
 * Creates what connects organizations with Discord. A person adds the bot to a server and proves with a code which one: the `guild_id`
 * of the return address is only a hint. Nothing of the person is kept, and the bot's token belongs to this server's application.
 *
 * @see https://docs.discord.com/developers/topics/oauth2#advanced-bot-authorization
 */
export function createDiscordConnector(options: DiscordConnectorOptions): Connector {
  const { webUrl, apiUrl, client, botToken, egress, now } = options
  const call: ProviderCall = { provider: 'discord', egress, now }
  const bot: DiscordCall = { call, apiUrl, botToken, pauses: createPauses() }
  const { authorizeUrl, exchange } = createOAuthClient({
    provider: 'discord',
    url: `${apiUrl}/${apiVersion}/oauth2/token`,
    ...client,
    egress: { fetch: withUserAgent(egress.fetch) },
    now,
    authorizeAt: `${webUrl}/oauth2/authorize`,
    toParameters: () => ({
      response_type: 'code',
      scope: 'bot identify',
      permissions: permissionsInteger,
    }),
  })
  return {
    provider: 'discord',
    usesPkce: false,
    authorizeUrl,
    async connect(response) {
      const { answer, grant } = await exchange(response)
      const added = guild.safeParse(answer['guild']).data
      await revokePersonalToken({ call, apiUrl, client }, grant.accessToken)
      if (added === undefined) return 'account_unnamed'
      const account = { id: added.id, name: added.name, url: guildUrl(webUrl, added.id) }
      const scopes = await readScopes(bot, added.id)
      return {
        account,
        choices: [account],
        grant: null,
        scopes,
        reconnectBefore: null,
        settings: {},
      }
    },
    refresh: undefined,
    async revoke({ accountId }) {
      await leaveGuild(bot, accountId)
    },
    revokeEffect: 'The bot leaves the Discord server, and loses what channels allow its role.',
    readStanding: (accountId) => readStanding(bot, webUrl, accountId),
    manageUrl: null,
    wantedScopes: Object.fromEntries(
      Object.entries(wantedPermissions).map(([name, { cost }]) => [name, cost]),
    ),
  }
}

/**
 * Ends the token of the person who connected: it has proven the server, and nothing else needs it. The bot stays. A token that could
 * not be revoked is not kept here, and ends by itself within a week.
 *
 * @see https://docs.discord.com/developers/topics/oauth2#authorization-code-grant
 */
async function revokePersonalToken(
  {
    call,
    apiUrl,
    client,
  }: Pick<DiscordConnectorOptions, 'apiUrl' | 'client'> & {
    readonly call: ProviderCall
  },
  token: string,
): Promise<void> {
  await callProvider(call, {
    method: 'POST',
    url: `${apiUrl}/${apiVersion}/oauth2/token/revoke`,
    headers: { authorization: toBasic(client), 'user-agent': userAgent },
    form: { token },
  }).catch(() => undefined)
}

/** Returns the page of a server in Discord. */
function guildUrl(webUrl: string, guildId: string): string {
  return `${webUrl}/channels/${guildId}`
}

async function readScopes(bot: DiscordCall, guildId: string): Promise<readonly string[]> {
  return namesOf(basePermissions(await readBotMember(bot, guildId)))
}

/** Lists the codes that say that the bot is not in a server. */
const absentCodes: ReadonlySet<string> = new Set(['10004', '50001', 'http_404'])

function isAbsent(error: unknown): boolean {
  return error instanceof ProviderError && absentCodes.has(error.code)
}

async function leaveGuild(bot: DiscordCall, guildId: string): Promise<void> {
  try {
    const path = `/users/@me/guilds/${guildId}`
    await callDiscord(bot, { method: 'DELETE', path, answer: z.unknown() })
  } catch (error) {
    // It was removed already.
    if (!isAbsent(error)) throw error
  }
}

async function readStanding(
  bot: DiscordCall,
  webUrl: string,
  guildId: string,
): Promise<AccountStanding> {
  try {
    const { name } = await callDiscord(bot, { path: `/guilds/${guildId}`, answer: guild })
    const scopes = await readScopes(bot, guildId)
    return { standing: 'active', access: { name, url: guildUrl(webUrl, guildId), scopes } }
  } catch (error) {
    if (!isAbsent(error)) throw error
    return { standing: 'gone', reason: 'The bot was removed from the Discord server.' }
  }
}

/** Discord refuses requests that do not name their client. */
function withUserAgent(fetch: Egress['fetch']): Egress['fetch'] {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('user-agent', userAgent)
    return fetch(input, { ...init, headers })
  }
}
