import { empty } from '../../../../../../sandbox/src/http/answers.ts'
import { basicOf, readJson } from '../../../../../../sandbox/src/http/fields.ts'
import { route, type Route, type SandboxRequest } from '../../../../../../sandbox/src/http/route.ts'
import { notFound, refuse, requiresAuthentication } from '../errors.ts'
import type { GithubApp, GithubState } from '../state.ts'
import type { GithubParts } from '../parts.ts'

type Parts = Pick<GithubParts, 'state' | 'tokens'>

/**
 * Creates the route with which an app revokes a user's token. It authenticates by client id and secret.
 *
 * @see https://docs.github.com/en/rest/apps/oauth-applications
 */
export function createApplicationRoutes({ state, tokens }: Parts): Route[] {
  return [
    route('DELETE /applications/:clientId/token', (request) => {
      const app = findApp(state, request)
      if (app === undefined)
        return request.headers['authorization'] ? notFound() : requiresAuthentication()
      const { access_token: token } = readJson(request)
      const issued = typeof token === 'string' ? tokens.ofUsers.findGood(token) : undefined
      if (issued?.grant.appId !== app.id) return unprocessable()
      tokens.revoke(issued.accessToken)
      return empty()
    }),
  ]
}

const unprocessable = () =>
  refuse(422, 'Validation Failed', {
    errors: [{ resource: 'OauthAccess', code: 'missing', field: 'access_token' }],
  })

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
