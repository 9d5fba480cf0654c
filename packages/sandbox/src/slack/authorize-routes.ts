import { html, redirect } from '../http/answers.ts'
import { readFields } from '../http/fields.ts'
import { markup, renderPage } from '../http/page.ts'
import type { Answer, Route, SandboxRequest } from '../http/route.ts'
import { renderAuthorizationPage } from '../oauth/authorization-page.ts'
import type { SlackParts } from './method.ts'
import { visitor, type SlackApp } from './state.ts'

/** Lists the valid scopes: those of the pretended methods, and others that such apps request. */
const knownScopes = new Set([
  'app_mentions:read',
  'channels:history',
  'channels:join',
  'channels:read',
  'chat:write',
  'chat:write.customize',
  'chat:write.public',
  'commands',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'incoming-webhook',
  'links:read',
  'links:write',
  'mpim:history',
  'mpim:read',
  'reactions:read',
  'reactions:write',
  'team:read',
  'users:read',
  'users:read.email',
])

/** Creates `/slack/oauth/v2/authorize`, which asks the visitor and redirects with a code or with `error=access_denied`. */
export function createAuthorizeRoutes(parts: SlackParts): readonly Route[] {
  const path = '/oauth/v2/authorize'
  return [
    {
      method: 'GET',
      path,
      handle: ({ query, origin }) => {
        const authorization = readAuthorization(parts.state.app, new Map(query))
        return 'wrong' in authorization
          ? wrongPage(authorization.wrong)
          : askVisitor(authorization, `${origin}/slack${path}`)
      },
    },
    { method: 'POST', path, handle: (request) => decide(parts, request) },
  ]
}

interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  /** Holds the address that the request named. `undefined`: the app's first address is used. */
  readonly sentRedirectUri: string | undefined
  readonly scopes: readonly string[]
  readonly userScopes: readonly string[]
  readonly state: string | undefined
  readonly codeChallenge: string | undefined
}

function readAuthorization(
  app: SlackApp,
  fields: ReadonlyMap<string, string>,
): AuthorizationRequest | { readonly wrong: string } {
  if (fields.get('client_id') !== app.clientId) return { wrong: 'Invalid client_id parameter' }
  const sentRedirectUri = fields.get('redirect_uri')
  const redirectUri = sentRedirectUri ?? app.redirectUris[0]
  if (redirectUri === undefined || !app.redirectUris.some((known) => isBelow(redirectUri, known))) {
    return {
      wrong: `redirect_uri did not match any configured URIs. Passed URI: ${redirectUri ?? ''}`,
    }
  }
  const [scopes, userScopes] = [listOf(fields.get('scope')), listOf(fields.get('user_scope'))]
  const all = [...scopes, ...userScopes]
  if (all.length === 0) return { wrong: 'No scopes requested' }
  const strange = all.find((scope) => !knownScopes.has(scope))
  if (strange !== undefined) return { wrong: `Invalid scope: ${strange}` }
  const codeChallenge = fields.get('code_challenge')
  if (codeChallenge !== undefined && fields.get('code_challenge_method') !== 'S256') {
    return { wrong: 'Invalid code_challenge_method parameter' }
  }
  return {
    clientId: app.clientId,
    redirectUri,
    sentRedirectUri,
    scopes,
    userScopes,
    state: fields.get('state'),
    codeChallenge,
  }
}

/** Returns whether an address equals a registered one or is below it, as Slack does (docs.slack.dev, installing with OAuth). */
function isBelow(uri: string, known: string): boolean {
  if (uri === known) return true
  if (!URL.canParse(uri) || !URL.canParse(known)) return false
  const [one, other] = [new URL(uri), new URL(known)]
  return (
    one.origin === other.origin && one.pathname.startsWith(`${other.pathname.replace(/\/$/, '')}/`)
  )
}

function listOf(text: string | undefined): readonly string[] {
  return (text ?? '').split(/[,\s]+/).filter((scope) => scope !== '')
}

function askVisitor(authorization: AuthorizationRequest, action: string): Answer {
  const fields = {
    client_id: authorization.clientId,
    redirect_uri: authorization.sentRedirectUri,
    scope: authorization.scopes.join(','),
    user_scope: authorization.userScopes.join(','),
    state: authorization.state,
    code_challenge: authorization.codeChallenge,
    code_challenge_method: authorization.codeChallenge && 'S256',
  }
  return renderAuthorizationPage({
    provider: 'Slack (Acme)',
    account: visitor.name,
    clientId: authorization.clientId,
    permissions: [
      ...authorization.scopes,
      ...authorization.userScopes.map((scope) => `${scope}, as you`),
    ],
    action,
    fields: Object.fromEntries(
      Object.entries(fields).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
  })
}

function decide({ state, codes }: SlackParts, request: SandboxRequest): Answer {
  const fields = readFields(request)
  const authorization = readAuthorization(state.app, fields)
  if ('wrong' in authorization) return wrongPage(authorization.wrong)
  const { clientId, redirectUri, scopes, userScopes, codeChallenge } = authorization
  const back = new URL(redirectUri)
  if (fields.get('decision') === 'allow') {
    const sentRedirectUri = authorization.sentRedirectUri !== undefined
    const subject = { scopes, userScopes, sentRedirectUri }
    back.searchParams.set('code', codes.issue({ clientId, redirectUri, codeChallenge, subject }))
  } else {
    back.searchParams.set('error', 'access_denied')
  }
  back.searchParams.set('state', authorization.state ?? '')
  return redirect(back)
}

function wrongPage(problem: string): Answer {
  const content = markup`<p>Something went wrong when authorizing this app.</p><p>${problem}</p>`
  return html(renderPage('Slack: not authorized', content), 400)
}
