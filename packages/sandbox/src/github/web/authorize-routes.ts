import { redirect } from '../../http/answers.ts'
import { readFields } from '../../http/fields.ts'
import type { Answer, Route, SandboxRequest } from '../../http/route.ts'
import type { AuthorizationCodes } from '../../oauth/authorization-codes.ts'
import { renderAuthorizationPage } from '../../oauth/authorization-page.ts'
import { findAccount, type GithubApp, type GithubState } from '../state.ts'
import type { UserGrant } from '../access/token-store.ts'
import { noticePage, noSuchPage } from './notice-page.ts'

interface Deps {
  readonly state: GithubState
  readonly codes: AuthorizationCodes<UserGrant>
}

/** Describes a valid authorization request, which may be shown to a user. */
interface AuthorizationRequest {
  readonly app: GithubApp
  readonly redirectUri: string
  readonly fields: ReadonlyMap<string, string>
}

/**
 * Creates the page on which a user authorizes an app. `login` preselects the user, like GitHub's own parameter.
 *
 * @see
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app
 */
export function createAuthorizeRoutes(deps: Deps): Route[] {
  const path = '/login/oauth/authorize'
  return [
    {
      method: 'GET',
      path,
      handle: (request) =>
        check(deps.state, new Map(request.query), (authorization) =>
          ask(deps, authorization, request),
        ),
    },
    {
      method: 'POST',
      path,
      handle: (request) =>
        check(deps.state, readFields(request), (authorization) => decide(deps, authorization)),
    },
  ]
}

/** Answers an unknown client or a foreign redirect address with a page: nobody is sent to an address that is not the app's. */
function check(
  state: GithubState,
  fields: ReadonlyMap<string, string>,
  answer: (authorization: AuthorizationRequest) => Answer,
): Answer {
  const app = [...state.apps.values()].find(({ clientId }) => clientId === fields.get('client_id'))
  if (app === undefined) return noSuchPage()
  const redirectUri = fields.get('redirect_uri') ?? app.callbackUrls[0]
  if (redirectUri === undefined || !app.callbackUrls.includes(redirectUri)) {
    return noticePage(
      'Be careful!',
      'The redirect_uri is not associated with this application.',
      400,
    )
  }
  const authorization = { app, redirectUri, fields }
  const isPlain = fields.has('code_challenge') && fields.get('code_challenge_method') !== 'S256'
  return isPlain ? sendBack(authorization, unsupportedChallenge) : answer(authorization)
}

const unsupportedChallenge = {
  error: 'invalid_request',
  error_description: 'The code_challenge_method must be S256.',
}

const denied = {
  error: 'access_denied',
  error_description: 'The user has denied your application access.',
  error_uri:
    'https://docs.github.com/apps/managing-oauth-apps/troubleshooting-authorization-request-errors/#access-denied',
}

function ask(
  { state }: Deps,
  { app, fields }: AuthorizationRequest,
  { origin }: SandboxRequest,
): Answer {
  const users = [...state.accounts.values()].filter(({ type }) => type === 'User')
  const suggested = findAccount(state, fields.get('login') ?? 'ada')
  const logins = users
    .toSorted((one, other) => Number(other === suggested) - Number(one === suggested))
    .map(({ login }) => login)
  const { login: _, ...sent } = Object.fromEntries(fields)
  return renderAuthorizationPage({
    provider: 'GitHub',
    account: 'you',
    clientId: app.clientId,
    permissions: ['know who you are', 'know what you can reach', 'act on your behalf'],
    choice: {
      name: 'login',
      label: 'Signed in as',
      options: logins.map((login) => ({ value: login, label: login })),
    },
    action: `${origin}/github/login/oauth/authorize`,
    fields: sent,
  })
}

function decide({ state, codes }: Deps, authorization: AuthorizationRequest): Answer {
  const { app, redirectUri, fields } = authorization
  if (fields.get('decision') !== 'allow') return sendBack(authorization, denied)
  const user = findAccount(state, fields.get('login') ?? 'ada')
  if (user?.type !== 'User') return noSuchPage()
  const code = codes.issue({
    clientId: app.clientId,
    redirectUri,
    codeChallenge: fields.get('code_challenge'),
    subject: { appId: app.id, login: user.login },
  })
  return sendBack(authorization, { code })
}

function sendBack(
  { redirectUri, fields }: AuthorizationRequest,
  parameters: Readonly<Record<string, string>>,
): Answer {
  const to = new URL(redirectUri)
  for (const [name, value] of Object.entries(parameters)) to.searchParams.set(name, value)
  const state = fields.get('state')
  if (state !== undefined) to.searchParams.set('state', state)
  return redirect(to)
}
