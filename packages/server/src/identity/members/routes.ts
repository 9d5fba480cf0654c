import type { Role } from '@signalbox/contract'
import { memberEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { presentAuthor, presentCredential } from '../../audit/author.ts'
import type { Router } from '../../http/router.ts'
import type { Store } from '../../store/store.ts'
import { toCaller, type Caller } from '../caller.ts'
import { mayDo } from '../roles.ts'
import { changeRole } from './change-role.ts'
import type { Member } from './member.ts'
import { removeMember } from './remove-member.ts'
import { listMemberRows } from './rows.ts'

/** Mounts `/organizations/{org_id}/members`. */
export function mountMembers(
  router: Router,
  deps: { readonly store: Pick<Store, 'transaction'> },
): void {
  router
    .addPage(endpoints.listMembers, {
      position: z.string(),
      list: ({ organization, scope }, { after, limit }) =>
        deps.store.transaction(scope, (tx) =>
          listMemberRows(tx, organization.id, { afterId: after, limit: limit + 1 }),
        ),
      positionOf: ({ userId }) => userId,
      present: (member, { role, actor }) => presentMember(member, maySeeUse(actor, role)),
    })
    .add(endpoints.updateMember, {
      handle: (request) =>
        changeRole(deps, {
          orgId: request.organization.id,
          userId: request.params.user_id,
          role: request.body.role,
          caller: toCaller(request),
        }),
      present: (member, { role, actor }) => presentMember(member, maySeeUse(actor, role)),
    })
    .add(endpoints.removeMember, {
      handle: (request) =>
        removeMember(deps, {
          orgId: request.organization.id,
          userId: request.params.user_id,
          caller: toCaller(request),
        }),
    })
}

/** Shows the last use to admins only: it reveals activity in other organizations, too. */
function maySeeUse(actor: Caller['actor'], role: Role | undefined): boolean {
  return actor.type === 'bootstrap' || mayDo(role, 'admin')
}

function presentMember(
  { userId, name, email, role, joinedAt, grantedBy, lastSeenAt }: Member,
  seesUse: boolean,
) {
  return {
    userId,
    name,
    email,
    role,
    joinedAt: joinedAt.toISOString(),
    grantedBy: presentAuthor(grantedBy),
    grantedWith: presentCredential(grantedBy),
    lastSeenAt: seesUse && lastSeenAt !== null ? lastSeenAt.toISOString() : null,
  }
}
