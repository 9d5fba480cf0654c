import { json } from '../../../../../sandbox/src/http/answers.ts'
import { basicOf, readFields } from '../../../../../sandbox/src/http/fields.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../sandbox/src/http/route.ts'
import {
  answerTokenRequest,
  identifyClient,
  type TokenRejection,
  type TokenSettings,
} from '../../../../../sandbox/src/oauth/answer-token-request.ts'
import type { AuthorizationCodes } from '../../../../../sandbox/src/oauth/authorization-codes.ts'
import {
  authorizeRoutes,
  firstOf,
  refusedPage,
  splitScopes,
  type Read,
} from '../../../../../sandbox/src/oauth/authorize-routes.ts'
import { rolesOf } from './shapes.ts'
import { addBot, newPersonToken, type DiscordState } from './state.ts'

/** Holds what a person has authorized. */
export interface DiscordGrant {
  readonly guildId: string
  readonly scopes: readonly string[]
}

/** Holds what the routes of the authorization work on. */
export interface DiscordOAuth {
  readonly state: DiscordState
  readonly codes: AuthorizationCodes<DiscordGrant>
}

const knownScopes = new Set(['bot', 'identify', 'guilds', 'email', 'applications.commands'])
const permissionsIn = (read: Read) => read('permissions') || '0'

const wrong = (problem: string) => refusedPage('Discord: not authorized', problem)

/** Creates `/discord/oauth2/authorize`, on which a person adds the bot to a server. */
export function createAuthorizeRoutes({ state, codes }: DiscordOAuth): readonly Route[] {
  const { app, guilds } = state
  const redirectUriOf = (read: Read) => read('redirect_uri') || (app.redirectUris[0] ?? '')
  return authorizeRoutes({
    mount: '/discord',
    path: '/oauth2/authorize',
    codes,
    redirectUriOf,
    judge(read) {
      const scopes = splitScopes(read('scope'))
      const strange = scopes.find((scope) => !knownScopes.has(scope))
      return firstOf([
        [read('client_id') !== app.id, wrong('Unknown Application')],
        [read('response_type') !== 'code', wrong('Invalid OAuth2 response_type')],
        // Discord compares the whole address.
        [!app.redirectUris.includes(redirectUriOf(read)), wrong('Invalid OAuth2 redirect_uri')],
        [scopes.length === 0, wrong('No scopes were provided')],
        [strange !== undefined, wrong(`Invalid scope: ${strange}`)],
        [!/^\d{1,20}$/.test(permissionsIn(read)), wrong('Invalid permissions')],
      ])
    },
    ask: (read) => ({
      provider: 'Discord',
      account: 'ada',
      permissions: [...splitScopes(read('scope')), `permissions ${permissionsIn(read)}`],
      choice: {
        name: 'guild_id',
        label: 'Add to server',
        options: [...guilds.values()].map(({ id, name }) => ({ value: id, label: name })),
      },
    }),
    grant(read) {
      const guildId = read('guild_id') || ([...guilds.keys()][0] ?? '')
      const scopes = splitScopes(read('scope'))
      const subject = { guildId, scopes }
      if (!scopes.includes('bot')) return { subject }
      const guild = guilds.get(guildId)
      if (guild === undefined) return wrong('Unknown Guild')
      const permissions = BigInt(permissionsIn(read))
      addBot(state, guild, permissions)
      return { subject, more: { guild_id: guildId, permissions: permissions.toString() } }
    },
  })
}

/** Creates the routes for tokens of people. They take forms alone. */
export function createTokenRoutes(parts: DiscordOAuth): readonly Route[] {
  const settings = tokenSettings(parts)
  return [
    route(
      'POST /oauth2/token',
      (request) => refuseClientProgram(request) ?? answerTokenRequest(settings, sentBy(request)),
    ),
    route('POST /oauth2/token/revoke', (request) => {
      const sent = sentBy(request)
      const wrong = refuseClientProgram(request)
      if (wrong !== undefined) return wrong
      if (identifyClient(settings, sent).rejection !== undefined) return unknownClient()
      parts.state.personTokens.delete(sent.fields.get('token') ?? '')
      return json({})
    }),
  ]
}

const sentBy = (request: SandboxRequest) => ({
  fields: readFields(request),
  basic: basicOf(request),
})

const unknownClient = () => json({ error: 'invalid_client' }, 401)

function tokenSettings({ state, codes }: DiscordOAuth): TokenSettings<DiscordGrant, Answer> {
  const { app } = state
  return {
    codes,
    secretOf: (clientId) => (clientId === app.id ? app.clientSecret : undefined),
    required: { authorization_code: ['redirect_uri'] },
    issue: (grant) => issueToken(state, grant),
    refuse(rejection: TokenRejection) {
      if (rejection === 'unknown_client' || rejection === 'wrong_secret') return unknownClient()
      if (rejection === 'grant_type') return json({ error: 'unsupported_grant_type' }, 400)
      const description = 'Invalid "code" in request.'
      return json({ error: 'invalid_grant', error_description: description }, 400)
    },
  }
}

function issueToken(state: DiscordState, { guildId, scopes }: DiscordGrant): Answer {
  const guild = state.guilds.get(guildId)
  const token = newPersonToken()
  state.personTokens.add(token)
  const isNamed = state.settings.requiresCodeGrant && scopes.includes('bot') && guild !== undefined
  return json({
    token_type: 'Bearer',
    access_token: token,
    expires_in: 604_800,
    refresh_token: newPersonToken(),
    scope: scopes.join(' '),
    ...(isNamed && {
      guild: { id: guild.id, name: guild.name, icon: null, features: [], roles: rolesOf(guild) },
    }),
  })
}

/** Refuses a request that is no form, or names no program. */
function refuseClientProgram({ headers }: SandboxRequest): Answer | undefined {
  if (!(headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')) {
    return json({ message: '400: Bad Request', code: 0 }, 400)
  }
  return (headers['user-agent'] ?? '').startsWith('DiscordBot (')
    ? undefined
    : json({ message: 'Set a proper User Agent', code: 40_333 }, 403)
}
