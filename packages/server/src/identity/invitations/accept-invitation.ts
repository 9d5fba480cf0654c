import { Problem, type Role } from '@signalbox/contract'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { findMemberRole } from '../members/rows.ts'
import type { OrganizationRow } from '../organizations/rows.ts'
import { requirePerson } from '../personal-tokens/require-person.ts'
import { invitationEnded, maskEmail, readInvitationToken } from './invitation.ts'
import { holdInvitation, joinInvited } from './join-invited.ts'

export interface AcceptInvitation {
  readonly token: string
  readonly caller: Caller
}

/** Describes the organization that was joined. */
export interface NewMembership {
  readonly organization: OrganizationRow
  readonly role: Role
}

/**
 * Makes the signed-in person a member, if the invitation is for their address: holding the link is not enough.
 *
 * @throws {Problem} `invitation_ended`, `invitation_for_other`; `already_exists` for a member
 */
export async function acceptInvitation(
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
  { token, caller }: AcceptInvitation,
): Promise<NewMembership> {
  const { userId, name, email } = requirePerson(caller.actor)
  const key = readInvitationToken(token)
  if (key === undefined) throw invitationEnded()
  return store.transaction({ ...caller.scope, orgId: key.orgId }, async (tx) => {
    const held = await holdInvitation(tx, key, now())
    const { organization, invitation } = held
    if (invitation.email !== email) throw forOther(invitation.email, email)
    if ((await findMemberRole(tx, key.orgId, userId)) !== undefined) throw isMember()
    const user = { id: userId, name }
    const { request } = caller
    await joinInvited(tx, { ...held, user, registered: false, request, now: now() })
    return { organization, role: invitation.role }
  })
}

function forOther(invited: string, own: string): Problem {
  const detail = `The invitation is for ${maskEmail(invited)}, and you are signed in as ${own}. Sign in with that address, or ask for an invitation of your own.`
  return new Problem('invitation_for_other', detail)
}

function isMember(): Problem {
  const detail = 'You are already a member of this organization.'
  return new Problem('already_exists', detail)
}
