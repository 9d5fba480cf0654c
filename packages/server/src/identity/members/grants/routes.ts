import { grantEndpoints as endpoints, type ResponseOf } from '@signalbox/contract/rest'
import type { Reach } from '@signalbox/contract'
import { z } from 'zod'
import { presentAuthor, presentCredential } from '../../../audit/author.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import { requireKnownIdsOfQuery } from '../../../http/input/known-ids.ts'
import type { Router } from '../../../http/router.ts'
import type { Tx } from '../../../store/store.ts'
import { findApiKey } from '../../api-keys/rows.ts'
import { toCaller } from '../../caller.ts'
import { lookUpWithin } from '../../config-directory.ts'
import { listGroupsOf } from '../groups/rows.ts'
import { findMember } from '../rows.ts'
import { createGrant, deleteGrant, updateGrant, type GrantDeps } from './change-grants.ts'
import { describeKey, describeMember } from './describe-access.ts'
import type { Grant } from './grant.ts'
import { listGrantRows, listGrantsOf, listGrantsOfKey } from './rows.ts'

/** Mounts `/organizations/{org_id}/grants`, and the access of a member and of a key. */
export function mountGrants(router: Router, deps: GrantDeps): void {
  const { store } = deps
  router
    .add(endpoints.createGrant, {
      handle: (request) =>
        createGrant(deps, {
          ...request.body,
          orgId: request.organization.id,
          caller: toCaller(request),
        }),
      present: presentGrant,
      versionOf,
    })
    .addPage(endpoints.listGrants, {
      position: z.string(),
      list: ({ organization, scope }, { after, limit }) =>
        store.transaction(scope, (tx) =>
          listGrantRows(tx, organization.id, { beforeId: after, limit: limit + 1 }),
        ),
      positionOf: ({ id }) => id,
      present: presentGrant,
    })
    .add(endpoints.updateGrant, {
      handle: (request) =>
        updateGrant(deps, {
          ...request.body,
          orgId: request.organization.id,
          grantId: request.params.grant_id,
          ifMatch: request.ifMatch,
          caller: toCaller(request),
        }),
      present: presentGrant,
      versionOf,
    })
    .add(endpoints.deleteGrant, {
      handle: (request) =>
        deleteGrant(deps, {
          orgId: request.organization.id,
          grantId: request.params.grant_id,
          caller: toCaller(request),
        }),
    })
  mountAccess(router, deps)
}

function mountAccess(router: Router, { store, configs }: GrantDeps): void {
  const requireWhere = async (tx: Tx, orgId: string, { environmentId, schemaId }: Reach) => {
    const named = {
      environments: [{ path: ['environmentId'], id: environmentId }],
      schemas: [{ path: ['schemaId'], id: schemaId }],
    }
    requireKnownIdsOfQuery(...(await lookUpWithin(tx, { configs, orgId }, named)))
  }
  router
    .add(endpoints.getMemberAccess, {
      handle: ({ organization, params, query, scope }) =>
        store.transaction(scope, async (tx) => {
          const member = await findMember(tx, organization.id, params.user_id)
          if (member === undefined) throw notFound()
          await requireWhere(tx, organization.id, query)
          const grants = await listGrantsOf(tx, organization.id, params.user_id)
          const groups = await listGroupsOf(tx, organization.id, params.user_id)
          return describeMember({ role: member.role, groups, grants }, query)
        }),
      present: (access) => access,
    })
    .add(endpoints.getKeyAccess, {
      handle: ({ organization, params, query, scope }) =>
        store.transaction(scope, async (tx) => {
          const key = await findApiKey(tx, organization.id, params.key_id)
          if (key === undefined) throw notFound()
          await requireWhere(tx, organization.id, query)
          const grants = await listGrantsOfKey(tx, organization.id, key.id)
          return describeKey(key, grants, query)
        }),
      present: (access) => access,
    })
}

function presentGrant(grant: Grant): ResponseOf<typeof endpoints.createGrant> {
  const { id, subject, role, environmentIds, schemaIds, createdAt, createdBy, revision } = grant
  return {
    id,
    subject,
    role,
    environmentIds: environmentIds && [...environmentIds],
    schemaIds: schemaIds && [...schemaIds],
    createdAt: createdAt.toISOString(),
    createdBy: presentAuthor(createdBy),
    createdWith: presentCredential(createdBy),
    revision,
  }
}

function versionOf({ revision }: Grant): number {
  return revision
}
