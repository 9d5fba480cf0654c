import { groupEndpoints as endpoints, type ResponseOf } from '@signalbox/contract/rest'
import { z } from 'zod'
import { presentAuthor, presentCredential } from '../../../audit/author.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import type { Router } from '../../../http/router.ts'
import { toCaller } from '../../caller.ts'
import { createGroup, deleteGroup, updateGroup, type GroupDeps } from './change-groups.ts'
import { addGroupMember, removeGroupMember } from './change-members.ts'
import type { Group, GroupMember } from './group.ts'
import { findGroup, listGroupMemberRows, listGroupRows } from './rows.ts'

type OfGroup = Parameters<typeof toCaller>[0] & {
  readonly organization: { readonly id: string }
  readonly params: { readonly group_id: string }
}

/** Mounts `/organizations/{org_id}/groups`. */
export function mountGroups(router: Router, deps: GroupDeps): void {
  const { store } = deps
  router
    .add(endpoints.createGroup, {
      handle: (request) =>
        createGroup(deps, {
          ...request.body,
          orgId: request.organization.id,
          caller: toCaller(request),
        }),
      present: presentGroup,
      versionOf,
    })
    .addPage(endpoints.listGroups, {
      position: z.string(),
      list: ({ organization, scope }, { after, limit }) =>
        store.transaction(scope, (tx) =>
          listGroupRows(tx, organization.id, { afterId: after, limit: limit + 1 }),
        ),
      positionOf: ({ id }) => id,
      present: presentGroup,
    })
    .add(endpoints.getGroup, {
      async handle({ organization, params, scope }) {
        const group = await store.transaction(scope, (tx) =>
          findGroup(tx, organization.id, params.group_id),
        )
        if (group === undefined) throw notFound()
        return group
      },
      present: presentGroup,
      versionOf,
    })
    .add(endpoints.updateGroup, {
      handle: (request) => {
        const { body, ifMatch } = request
        return updateGroup(deps, { ...ofGroup(request), ...body, ifMatch })
      },
      present: presentGroup,
      versionOf,
    })
    .add(endpoints.deleteGroup, { handle: (request) => deleteGroup(deps, ofGroup(request)) })
  mountGroupMembers(router, deps)
}

function mountGroupMembers(router: Router, deps: GroupDeps): void {
  router
    .addPage(endpoints.listGroupMembers, {
      position: z.string(),
      list: ({ organization, params, scope }, { after, limit }) =>
        deps.store.transaction(scope, async (tx) => {
          const of = { orgId: organization.id, groupId: params.group_id }
          if ((await findGroup(tx, of.orgId, of.groupId)) === undefined) throw notFound()
          return listGroupMemberRows(tx, of, { afterId: after, limit: limit + 1 })
        }),
      positionOf: ({ userId }) => userId,
      present: presentMember,
    })
    .add(endpoints.addGroupMember, {
      handle: (request) =>
        addGroupMember(deps, { ...ofGroup(request), userId: request.params.user_id }),
      present: presentMember,
    })
    .add(endpoints.removeGroupMember, {
      handle: (request) =>
        removeGroupMember(deps, { ...ofGroup(request), userId: request.params.user_id }),
    })
}

function presentMember({ userId, name, email, addedBy }: GroupMember) {
  return {
    userId,
    name,
    email,
    addedBy: presentAuthor(addedBy),
    addedWith: presentCredential(addedBy),
  }
}

function ofGroup(request: OfGroup) {
  const { organization, params } = request
  return { orgId: organization.id, groupId: params.group_id, caller: toCaller(request) }
}

function presentGroup(group: Group): ResponseOf<typeof endpoints.getGroup> {
  const { id, name, source, memberCount, createdAt, createdBy, revision } = group
  return {
    id,
    name,
    source,
    memberCount,
    createdAt: createdAt.toISOString(),
    createdBy: presentAuthor(createdBy),
    createdWith: presentCredential(createdBy),
    revision,
  }
}

function versionOf({ revision }: Group): number {
  return revision
}
