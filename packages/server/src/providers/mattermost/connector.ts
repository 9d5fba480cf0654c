import { z } from 'zod'
import type { Egress } from '../../egress/create-egress.ts'
import type { Connected, FormConnector, FormRejection } from '../connector.ts'
import { ProviderError } from '../provider-error.ts'
import { callMattermost, type MattermostRequest } from './api-call.ts'
import { toAccountId } from './server-url.ts'

/** Describes the Mattermost that organizations connect with. */
export interface MattermostConnectorOptions {
  /** Example: `https://chat.acme.dev`. */
  readonly baseUrl: string
  readonly egress: Pick<Egress, 'request'>
  readonly now: () => Date
}

const me = z.object({
  id: z.string().regex(/^[a-z0-9]{1,64}$/),
  username: z.string(),
  is_bot: z.boolean().default(false),
  delete_at: z.number().default(0),
})
const teams = z.array(z.object({ id: z.string() }))

/** A header takes no other characters. The tokens of Mattermost are 26 letters and digits. */
const tokenPattern = /^[\x21-\x7e]{1,256}$/

const refuse = (detail: string): FormRejection => ({ refusedField: 'token', detail })

/** Creates what connects organizations with Mattermost: by the token of a bot, which has no end. */
export function createMattermostConnector({
  baseUrl,
  egress,
  now,
}: MattermostConnectorOptions): FormConnector {
  const provider = 'mattermost'
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl
  const ask = <T>(accessToken: string, request: MattermostRequest<T>) =>
    callMattermost({ call: { provider, egress, now }, baseUrl, accessToken }, request)
  return {
    provider,
    way: 'form',
    enteredUrl: baseUrl,
    form: {
      advice: `In Mattermost (${host}), an administrator opens Integrations > Bot Accounts, creates a bot, and adds it to your team. Mattermost shows the token once, when the bot is created. If the page is missing, bot accounts are off: System Console > Integrations > Bot Accounts.`,
      fields: [
        {
          name: 'token',
          label: 'Access token of the bot',
          role: 'secret',
          isRequired: true,
          hint: 'Signalbox stores it encrypted and never shows it.',
        },
      ],
    },
    async connect({ token = '' }) {
      if (!tokenPattern.test(token)) return refuse(notAToken)
      try {
        const bot = await ask(token, { path: '/users/me', answer: me })
        const refused = refuseUser(bot)
        if (refused !== undefined) return refused
        const ownTeams = await ask(token, { path: '/users/me/teams', answer: teams })
        if (ownTeams.length === 0) {
          return refuse('The bot is in no team. Add it to a team in Mattermost, then connect.')
        }
        return connectedAs(bot, { baseUrl, host, token })
      } catch (error) {
        if (error instanceof ProviderError && error.failure === 'unauthorized') {
          return refuse(notAToken)
        }
        throw error
      }
    },
    refresh: undefined,
    revoke: undefined,
    revokeAdvice:
      'In Mattermost, open Integrations > Bot Accounts and delete the token of the bot.',
    manageUrl: `${baseUrl}/_redirect/integrations/bots`,
    // A bot that was deleted and created anew is another user.
    isSameAccount: (former, next) => former.url === next.url,
    wantedScopes: {},
  }
}

const notAToken =
  'Mattermost doesn’t accept this token. Copy the access token of the bot, not the ID of the token, or create a new one.'

function refuseUser({ is_bot: isBot, delete_at: deletedAt }: z.infer<typeof me>) {
  if (!isBot) {
    return refuse(
      'This token belongs to a person. Enter the token of a bot account, which stays when people leave.',
    )
  }
  return deletedAt === 0
    ? undefined
    : refuse('The bot is disabled. Enable it in Mattermost, then connect.')
}

function connectedAs(
  { id, username }: z.infer<typeof me>,
  {
    baseUrl,
    host,
    token,
  }: { readonly baseUrl: string; readonly host: string; readonly token: string },
): Connected {
  const account = { id: toAccountId(baseUrl, id), name: `@${username} on ${host}`, url: baseUrl }
  return {
    account,
    choices: [account],
    grant: {
      accessToken: token,
      accessExpiresAt: null,
      refreshToken: null,
      refreshExpiresAt: null,
      scopes: [],
    },
    scopes: [],
    reconnectBefore: null,
    settings: {},
  }
}
