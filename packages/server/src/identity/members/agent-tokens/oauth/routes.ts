import { agentAuthorizationEndpoints as endpoints } from '@signalbox/contract/rest'
import { toAuditRequest } from '../../../../audit/caller.ts'
import type { RawAnswer } from '../../../../http/input/endpoint-request.ts'
import type { Router } from '../../../../http/router.ts'
import { answerOAuth, refuseOAuth } from '../../../access-tokens/oauth-answer.ts'
import { invalidRequest, readOAuthParameters } from '../../../access-tokens/oauth-parameters.ts'
import { toCaller } from '../../../caller.ts'
import { allowRequest } from './allow-request.ts'
import type { AgentOAuthDeps } from './oauth-deps.ts'
import { reviewRequest } from './review-request.ts'
import { revokeAgent } from './revoke-agent.ts'
import { renderAuthorizationServer, renderProtectedResource } from './server-metadata.ts'

/** Mounts what a remote assistant needs to be connected, but for its questions at `/oauth/token`. */
export function mountAgentOAuth(router: Router, deps: AgentOAuthDeps): void {
  const { publicUrl } = deps
  const protectedResource = {
    handle: () => Promise.resolve(publicUrl()),
    present: renderProtectedResource,
  }
  router
    .add(endpoints.getProtectedResource, protectedResource)
    .add(endpoints.getProtectedTools, protectedResource)
    .add(endpoints.getAuthorizationServer, {
      handle: () => Promise.resolve(publicUrl()),
      present: renderAuthorizationServer,
    })
    .addRaw(endpoints.beginAgentAuthorization, ({ query }) => Promise.resolve(goToPage(query)))
    .add(endpoints.reviewAgent, {
      handle: (request) =>
        reviewRequest(deps, { request: request.body, caller: toCaller(request) }),
      present: ({ client, redirect, scope, rejection, refusedAt, isLocal }) => ({
        clientHost: client.host,
        clientName: client.name,
        redirectHost: redirect.host,
        isLocal,
        scope,
        refusal:
          rejection === undefined ? null : { detail: rejection.description, redirectTo: refusedAt },
      }),
    })
    .add(endpoints.refuseAgent, {
      handle: (request) =>
        reviewRequest(deps, { request: request.body.request, caller: toCaller(request) }),
      present: ({ refusedAt }) => ({ redirectTo: refusedAt }),
    })
    .add(endpoints.allowAgent, {
      handle: (request) =>
        allowRequest(deps, {
          ...request.body,
          orgId: request.organization.id,
          caller: toCaller(request),
        }),
      present: ({ redirectTo }) => ({ redirectTo }),
      presentReplay: ({ withoutCode }) => ({ redirectTo: withoutCode }),
    })
    .addRaw(endpoints.revokeAgent, async (request) => {
      const contentType = request.header('content-type')
      const parameters = readOAuthParameters({ contentType, body: await request.readBytes() })
      if ('error' in parameters) return refuseOAuth(parameters)
      const token = parameters.get('token')
      const clientId = parameters.get('client_id')
      if (token === undefined || clientId === undefined) {
        return refuseOAuth(invalidRequest('Send token and client_id.'))
      }
      await revokeAgent(deps, { token, clientId, request: toAuditRequest(request) })
      return answerOAuth(200, {})
    })
}

/** Passes the parameters on to the page of the dashboard, as one text. The browser is sent to this server alone. */
function goToPage(query: Readonly<Record<string, string | undefined>>): RawAnswer {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  )
  const request = encodeURIComponent(new URLSearchParams(parameters).toString())
  return {
    status: 303,
    headers: { Location: `/oauth/assistant?request=${request}`, 'Cache-Control': 'no-store' },
    body: '',
  }
}
