import { createHash } from 'node:crypto'
import { empty, json } from '../../http/answers.ts'
import { basicOf, readJson } from '../../http/fields.ts'
import { route, type Answer, type Route, type SandboxRequest } from '../../http/route.ts'
import { notFound, refuse, requiresAuthentication } from '../errors.ts'
import { addressesOf } from '../shapes/addresses.ts'
import { toSimpleUser } from '../shapes/simple-user.ts'
import { toTimestamp } from '../shapes/timestamp.ts'
import type { GithubApp, GithubState } from '../state.ts'
import type { IssuedTokens } from '../../oauth/token-store.ts'
import type { UserGrant } from '../access/token-store.ts'
import type { components } from '@octokit/openapi-types'
import type { GithubParts } from '../parts.ts'

type Parts = Pick<GithubParts, 'state' | 'tokens'>

type ForToken = (issued: IssuedTokens<UserGrant>, app: GithubApp) => Answer

/**
 * Creates the routes with which an app checks and revokes user tokens. It authenticates by client id and secret.
 *
 * @see https://docs.github.com/en/rest/apps/oauth-applications
 */
export function createApplicationRoutes(deps: Parts): Route[] {
  const { state, tokens } = deps
  const path = '/applications/:clientId/token'
  return [
    route(
      `POST ${path}`,
      forToken(deps, notFound, (issued, app) => json(toAuthorization(state, issued, app))),
    ),
    route(
      `DELETE ${path}`,
      forToken(deps, unprocessable, ({ accessToken }) => {
        tokens.revoke(accessToken)
        return empty()
      }),
    ),
    route(
      'DELETE /applications/:clientId/grant',
      forToken(deps, unprocessable, (issued) => {
        const { appId, login } = issued.grant
        tokens.ofUsers.revoke(({ grant }) => grant.appId === appId && grant.login === login)
        return empty()
      }),
    ),
  ]
}

const unprocessable = () =>
  refuse(422, 'Validation Failed', {
    errors: [{ resource: 'OauthAccess', code: 'missing', field: 'access_token' }],
  })

function forToken(deps: Parts, unknown: () => Answer, answer: ForToken) {
  return (request: SandboxRequest): Answer => {
    const app = findApp(deps.state, request)
    if (app === undefined)
      return request.headers['authorization'] ? notFound() : requiresAuthentication()
    const { access_token: token } = readJson(request)
    if (typeof token !== 'string') return unprocessable()
    const issued = deps.tokens.ofUsers.findGood(token)
    return issued === undefined || issued.grant.appId !== app.id ? unknown() : answer(issued, app)
  }
}

/** Returns the app of the path, if the request has its secret. */
function findApp({ apps }: GithubState, request: SandboxRequest): GithubApp | undefined {
  const [clientId, clientSecret] = basicOf(request) ?? []
  return [...apps.values()].find(
    (app) =>
      app.clientId === request.params['clientId'] &&
      app.clientId === clientId &&
      app.clientSecret === clientSecret,
  )
}

function toAuthorization(state: GithubState, issued: IssuedTokens<UserGrant>, app: GithubApp) {
  const addresses = addressesOf(state)
  const account = state.accounts.get(issued.grant.login)
  const { accessToken: token } = issued
  const hashed = createHash('sha256').update(token).digest('hex')
  const id = Number.parseInt(hashed.slice(0, 8), 16)
  return {
    id,
    url: `${addresses.api}/authorizations/${id}`,
    scopes: [],
    token,
    token_last_eight: token.slice(-8),
    hashed_token: hashed,
    app: { client_id: app.clientId, name: app.name, url: app.externalUrl },
    note: null,
    note_url: null,
    created_at: toTimestamp(issued.issuedAt),
    updated_at: toTimestamp(issued.issuedAt),
    fingerprint: null,
    expires_at: toTimestamp(new Date(issued.expiresAtMs)),
    ...(account !== undefined && { user: toSimpleUser(addresses, account) }),
  } satisfies components['schemas']['authorization']
}
