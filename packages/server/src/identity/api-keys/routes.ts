import { apiKeyEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Router } from '../../http/router.ts'
import { toCaller } from '../caller.ts'
import type { ApiKey } from './api-key.ts'
import { createApiKey, type ApiKeyDeps } from './create-api-key.ts'
import { pauseApiKey } from './pause-api-key.ts'
import { presentApiKey } from './present-api-key.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { rotateApiKey } from './rotate-api-key.ts'
import { findApiKey, listApiKeyRows, listSecretReads } from './rows.ts'
import { updateApiKey } from './update-api-key.ts'

/** Mounts `/organizations/{org_id}/api-keys`. */
export function mountApiKeys(router: Router, deps: ApiKeyDeps): void {
  const { store, now } = deps
  router
    .add(endpoints.createApiKey, {
      handle: (request) =>
        createApiKey(deps, {
          ...request.body,
          orgId: request.organization.id,
          caller: toCaller(request),
        }),
      present: (key) => ({ ...presentApiKey(key, now()), secret: key.secret }),
      presentReplay: (key) => presentApiKey(key, now()),
      versionOf,
    })
    .addPage(endpoints.listApiKeys, {
      position: z.string(),
      list: ({ organization, scope }, { after, limit }) =>
        store.transaction(scope, (tx) =>
          listApiKeyRows(tx, organization.id, { beforeId: after, limit: limit + 1 }),
        ),
      positionOf: ({ id }) => id,
      present: (key) => presentApiKey(key, now()),
    })
    .add(endpoints.getApiKey, {
      async handle({ organization, params, scope }) {
        const key = await store.transaction(scope, (tx) =>
          findApiKey(tx, organization.id, params.key_id),
        )
        if (key === undefined) throw notFound()
        return key
      },
      present: (key) => presentApiKey(key, now()),
      versionOf,
    })
    .add(endpoints.listSecretReads, {
      async handle({ organization, params, scope }) {
        const { id: orgId } = organization
        const days = await store.transaction(scope, async (tx) => {
          const key = await findApiKey(tx, orgId, params.key_id)
          return key && (await listSecretReads(tx, orgId, key.id))
        })
        if (days === undefined) throw notFound()
        return { days }
      },
      present: (reads) => reads,
    })
  mountApiKeyChanges(router, deps)
}

function mountApiKeyChanges(router: Router, deps: ApiKeyDeps): void {
  router
    .add(endpoints.updateApiKey, {
      handle: (request) =>
        updateApiKey(deps, {
          ...request.body,
          readOnly: request.readOnly,
          ifMatch: request.ifMatch,
          orgId: request.organization.id,
          keyId: request.params.key_id,
          caller: toCaller(request),
        }),
      present: (key) => presentApiKey(key, deps.now()),
      versionOf,
    })
    .add(endpoints.rotateApiKey, {
      handle: (request) =>
        rotateApiKey(deps, {
          ...request.body,
          orgId: request.organization.id,
          keyId: request.params.key_id,
          caller: toCaller(request),
        }),
      present: (key) => ({ ...presentApiKey(key, deps.now()), secret: key.secret }),
      presentReplay: (key) => presentApiKey(key, deps.now()),
      versionOf,
    })
    .add(endpoints.pauseApiKey, {
      handle: (request) =>
        pauseApiKey(deps, {
          orgId: request.organization.id,
          keyId: request.params.key_id,
          caller: toCaller(request),
        }),
      present: (key) => presentApiKey(key, deps.now()),
      versionOf,
    })
    .add(endpoints.revokeApiKey, {
      handle: (request) =>
        revokeApiKey(deps, {
          orgId: request.organization.id,
          keyId: request.params.key_id,
          caller: toCaller(request),
        }),
    })
}

/** Returns what `If-Match` of the next change is compared with. */
function versionOf({ revision }: ApiKey): number {
  return revision
}
