import { agentTokenEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../../../http/router.ts'
import type { Store } from '../../../store/store.ts'
import { tokenPrefix } from '../../api-keys/api-key.ts'
import { toCaller } from '../../caller.ts'
import { createAgentToken, endAgentToken, membersShownTo } from './agent-tokens.ts'
import { listAgentTokenRows, type AgentToken } from './rows.ts'

export interface AgentTokenRoutesDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly now: () => Date
}

/** Mounts `/organizations/{org_id}/agent-tokens`. */
export function mountAgentTokens(router: Router, deps: AgentTokenRoutesDeps): void {
  router
    .addPage(endpoints.listAgentTokens, {
      position: z.string(),
      list: ({ actor, role, organization, scope }, { after, limit }) =>
        deps.store.transaction(scope, (tx) =>
          listAgentTokenRows(tx, {
            orgId: organization.id,
            userId: membersShownTo(actor, role),
            now: deps.now(),
            beforeId: after,
            limit: limit + 1,
          }),
        ),
      positionOf: ({ id }) => id,
      present: presentToken,
    })
    .add(endpoints.createAgentToken, {
      handle: (request) =>
        createAgentToken(deps, {
          ...request.body,
          orgId: request.organization.id,
          caller: toCaller(request),
        }),
      present: (token) => ({ ...presentToken(token), secret: token.secret }),
      presentReplay: (token) => presentToken(token),
    })
    .add(endpoints.endAgentToken, {
      handle: (request) =>
        endAgentToken(deps, {
          orgId: request.organization.id,
          tokenId: request.params.agent_token_id,
          caller: toCaller(request),
          role: request.role,
        }),
    })
}

function presentToken(token: AgentToken) {
  const { id, name, handle, scope, userId, userName, client, clientId } = token
  return {
    id,
    name,
    prefix: handle === null ? 'sbx_agt_' : tokenPrefix({ kind: 'agt', handle }),
    scope,
    member: { id: userId, name: userName },
    client,
    clientHost: clientId === null ? null : new URL(clientId).host,
    expiresAt: token.expiresAt.toISOString(),
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
    createdAt: token.createdAt.toISOString(),
  }
}
