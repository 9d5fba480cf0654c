import { json } from '../../../../../sandbox/src/http/answers.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../sandbox/src/http/route.ts'
import type { JiraScope } from './jira-scopes.ts'
import { gatewayError, jiraError } from './errors.ts'
import { siteUrl, type SiteAddresses } from './site-addresses.ts'
import type { JiraSite, JiraState } from './state.ts'
import type { JiraGrant } from './oauth.ts'
import type { TokenStore } from '../../../../../sandbox/src/oauth/token-store.ts'

/** Describes the gateway between the product and each site: it checks the tokens, the sites and the scopes. */
export interface Gateway {
  readonly jira: JiraState
  readonly tokens: TokenStore<JiraGrant>
}

/** Describes a request that the gateway authorized for a site. */
export interface SiteRequest {
  readonly jira: JiraState
  readonly site: JiraSite
  readonly request: SandboxRequest
  readonly addresses: SiteAddresses
}

/** Describes an operation of Jira's REST API. */
export interface Operation {
  readonly method: Route['method']
  /** Holds the path below `/rest/api/3`. */
  readonly path: string
  /** Names the scope that Jira's OpenAPI document requires. `undefined`: none. */
  readonly scope: JiraScope | undefined
  readonly handle: (request: SiteRequest) => Answer
}

/** Creates the route of an operation, below `/ex/jira/:cloudId`. */
export function siteRoute({ jira, tokens }: Gateway, operation: Operation): Route {
  return {
    method: operation.method,
    path: `/ex/jira/:cloudId/rest/api/3${operation.path}`,
    handle: (request) => {
      const refused = refuseToken(tokens, request, jira.expiredAnswers)
      if (refused !== undefined) return refused
      const cloudId = request.params['cloudId'] ?? ''
      const site = Object.values(jira.sites).find((one) => one.cloudId === cloudId)
      const scopes = jira.granted.get(cloudId)
      if (site === undefined || scopes === undefined) return gatewayError(404, 'Not Found')
      if (operation.scope !== undefined && !scopes.has(operation.scope)) {
        return gatewayError(401, 'Unauthorized; scope does not match')
      }
      if (request.body.length > 0 && !(request.headers['content-type'] ?? '').includes('json')) {
        return jiraError(415, 'Unsupported Media Type')
      }
      const addresses = { web: siteUrl(request.origin, site), api: apiUrl(request.origin, site) }
      return operation.handle({ jira, site, request, addresses })
    },
  }
}

function apiUrl(origin: string, { cloudId }: JiraSite): string {
  return `${origin}/atlassian/api/ex/jira/${cloudId}/rest/api/3`
}

/** Creates the route that lists the sites that the account has granted the app. */
export function accessibleResourcesRoute({ jira, tokens }: Gateway): Route {
  return route('GET /oauth/token/accessible-resources', (request) => {
    const refused = refuseToken(tokens, request, 401)
    if (refused !== undefined) return refused
    const granted = Object.values(jira.sites).flatMap((site) => {
      const scopes = [...(jira.granted.get(site.cloudId) ?? [])]
      return scopes.length === 0 ? [] : [{ site, scopes }]
    })
    return json(
      granted.map(({ site, scopes }) => ({
        id: site.cloudId,
        url: siteUrl(request.origin, site),
        name: site.name,
        scopes,
        avatarUrl: `${request.origin}/atlassian/sites/avatar.svg`,
      })),
    )
  })
}

function refuseToken(
  tokens: TokenStore<JiraGrant>,
  { headers }: SandboxRequest,
  expiredAnswers: 401 | 404,
): Answer | undefined {
  const token = /^bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? ''
  const issued = tokens.find(token)
  if (issued !== undefined && !tokens.isExpired(issued)) return undefined
  return issued !== undefined && expiredAnswers === 404
    ? gatewayError(404, 'Not Found')
    : gatewayError(401, 'Unauthorized')
}
