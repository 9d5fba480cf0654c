import { html, json, redirect } from '../http/answers.ts'
import { basicOf, readFields } from '../http/fields.ts'
import { markup, renderPage } from '../http/page.ts'
import type { Answer, Route, SandboxRequest } from '../http/route.ts'
import type { AuthorizationCodes } from '../oauth/authorization-codes.ts'
import { renderAuthorizationPage } from '../oauth/authorization-page.ts'
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

interface Authorization {
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly permissions: bigint
  readonly state: string
}

const knownScopes = new Set(['bot', 'identify', 'guilds', 'email', 'applications.commands'])

/** Creates `/discord/oauth2/authorize`, on which a person adds the bot to a server. */
export function createAuthorizeRoutes(parts: DiscordOAuth): readonly Route[] {
  const path = '/oauth2/authorize'
  return [
    {
      method: 'GET',
      path,
      handle: ({ query, origin }) => {
        const authorization = readAuthorization(parts.state, new Map(query))
        return typeof authorization === 'string'
          ? wrongPage(authorization)
          : askVisitor(parts.state, authorization, `${origin}/discord${path}`)
      },
    },
    { method: 'POST', path, handle: (request) => decide(parts, request) },
  ]
}

function readAuthorization(
  { app }: DiscordState,
  fields: ReadonlyMap<string, string>,
): Authorization | string {
  if (fields.get('client_id') !== app.id) return 'Unknown Application'
  if (fields.get('response_type') !== 'code') return 'Invalid OAuth2 response_type'
  const redirectUri = fields.get('redirect_uri') ?? app.redirectUris[0] ?? ''
  // Discord compares the whole address.
  if (!app.redirectUris.includes(redirectUri)) return 'Invalid OAuth2 redirect_uri'
  const scopes = (fields.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  if (scopes.length === 0) return 'No scopes were provided'
  const strange = scopes.find((scope) => !knownScopes.has(scope))
  if (strange !== undefined) return `Invalid scope: ${strange}`
  const permissions = fields.get('permissions') ?? '0'
  if (!/^\d{1,20}$/.test(permissions)) return 'Invalid permissions'
  return {
    redirectUri,
    scopes,
    permissions: BigInt(permissions),
    state: fields.get('state') ?? '',
  }
}

function askVisitor(
  { app, guilds }: DiscordState,
  authorization: Authorization,
  action: string,
): Answer {
  return renderAuthorizationPage({
    provider: 'Discord',
    account: 'ada',
    clientId: app.id,
    permissions: [...authorization.scopes, `permissions ${authorization.permissions}`],
    choice: {
      name: 'guild_id',
      label: 'Add to server',
      options: [...guilds.values()].map(({ id, name }) => ({ value: id, label: name })),
    },
    action,
    fields: {
      client_id: app.id,
      response_type: 'code',
      redirect_uri: authorization.redirectUri,
      scope: authorization.scopes.join(' '),
      permissions: authorization.permissions.toString(),
      state: authorization.state,
    },
  })
}

function decide({ state, codes }: DiscordOAuth, request: SandboxRequest): Answer {
  const fields = readFields(request)
  const authorization = readAuthorization(state, fields)
  if (typeof authorization === 'string') return wrongPage(authorization)
  const { redirectUri, scopes, permissions } = authorization
  const back = new URL(redirectUri)
  if (authorization.state !== '') back.searchParams.set('state', authorization.state)
  if (fields.get('decision') !== 'allow') {
    back.searchParams.set('error', 'access_denied')
    return redirect(back)
  }
  const guildId = fields.get('guild_id') ?? [...state.guilds.keys()][0] ?? ''
  const guild = state.guilds.get(guildId)
  if (scopes.includes('bot')) {
    if (guild === undefined) return wrongPage('Unknown Guild')
    addBot(state, guild, permissions)
    back.searchParams.set('guild_id', guildId)
    back.searchParams.set('permissions', permissions.toString())
  }
  const subject = { guildId, scopes }
  const grant = { clientId: state.app.id, redirectUri, codeChallenge: undefined, subject }
  back.searchParams.set('code', codes.issue(grant))
  return redirect(back)
}

function wrongPage(problem: string): Answer {
  return html(renderPage('Discord: not authorized', markup`<p>${problem}</p>`), 400)
}

/** Creates the routes for tokens of people. They take forms alone. */
export function createTokenRoutes(parts: DiscordOAuth): readonly Route[] {
  return [
    { method: 'POST', path: '/oauth2/token', handle: (request) => exchange(parts, request) },
    { method: 'POST', path: '/oauth2/token/revoke', handle: (request) => revoke(parts, request) },
  ]
}

function exchange({ state, codes }: DiscordOAuth, request: SandboxRequest): Answer {
  const fields = readFields(request)
  const wrong = checkClient(state, request, fields)
  if (wrong !== undefined) return wrong
  if (fields.get('grant_type') !== 'authorization_code') {
    return json({ error: 'unsupported_grant_type' }, 400)
  }
  const redeemed = codes.redeem({
    code: fields.get('code') ?? '',
    clientId: state.app.id,
    redirectUri: fields.get('redirect_uri') ?? '',
    codeVerifier: fields.get('code_verifier'),
  })
  if (redeemed.outcome !== 'redeemed') {
    const description = 'Invalid "code" in request.'
    return json({ error: 'invalid_grant', error_description: description }, 400)
  }
  const { guildId, scopes } = redeemed.subject
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

function revoke({ state }: DiscordOAuth, request: SandboxRequest): Answer {
  const fields = readFields(request)
  const wrong = checkClient(state, request, fields)
  if (wrong !== undefined) return wrong
  state.personTokens.delete(fields.get('token') ?? '')
  return json({})
}

function checkClient(
  { app }: DiscordState,
  request: SandboxRequest,
  fields: ReadonlyMap<string, string>,
): Answer | undefined {
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('application/x-www-form-urlencoded')) {
    return json({ message: '400: Bad Request', code: 0 }, 400)
  }
  if (!(request.headers['user-agent'] ?? '').startsWith('DiscordBot (')) {
    return json({ message: 'Set a proper User Agent', code: 40_333 }, 403)
  }
  const [id, secret] = basicOf(request) ?? [fields.get('client_id'), fields.get('client_secret')]
  return id === app.id && secret === app.clientSecret
    ? undefined
    : json({ error: 'invalid_client' }, 401)
}
