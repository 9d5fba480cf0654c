import { personalTokenEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../../http/router.ts'
import type { Store } from '../../store/store.ts'
import { tokenPrefix } from '../api-keys/api-key.ts'
import { toCaller } from '../caller.ts'
import { createPersonalToken, revokePersonalToken } from './personal-tokens.ts'
import { requirePerson } from './require-person.ts'
import { listPersonalTokenRows, type PersonalToken } from './rows.ts'

export interface PersonalTokenRoutesDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly now: () => Date
}

/** Mounts `/me/tokens`. */
export function mountPersonalTokens(router: Router, deps: PersonalTokenRoutesDeps): void {
  router
    .addPage(endpoints.listPersonalAccessTokens, {
      position: z.string(),
      async list({ actor, scope }, { after, limit }) {
        const { userId } = requirePerson(actor)
        const page = { beforeId: after, limit: limit + 1 }
        return deps.store.transaction(scope, (tx) => listPersonalTokenRows(tx, userId, page))
      },
      positionOf: ({ id }) => id,
      present: presentToken,
    })
    .add(endpoints.createPersonalAccessToken, {
      handle: (request) =>
        createPersonalToken(deps, { ...request.body, caller: toCaller(request) }),
      present: (token) => ({ ...presentToken(token), secret: token.secret }),
      presentReplay: (token) => presentToken(token),
    })
    .add(endpoints.deletePersonalAccessToken, {
      handle: (request) =>
        revokePersonalToken(deps, {
          tokenId: request.params.token_id,
          caller: toCaller(request),
        }),
    })
}

function presentToken({
  id,
  name,
  handle,
  manages,
  expiresAt,
  lastUsedAt,
  createdAt,
}: PersonalToken) {
  return {
    id,
    name,
    prefix: tokenPrefix({ kind: 'pat', handle }),
    manages,
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
