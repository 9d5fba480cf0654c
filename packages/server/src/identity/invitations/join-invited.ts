import type { AuditRequest } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { Tx } from '../../store/store.ts'
import {
  findOrganization,
  insertMember,
  lockOrganization,
  type OrganizationRow,
} from '../organizations/rows.ts'
import type { UserRow } from '../user-rows.ts'
import { invitationEnded, type Invitation, type InvitationKey } from './invitation.ts'
import { deleteInvitation, findOpenInvitation } from './rows.ts'

/** Describes an invitation that is locked by the transaction. */
export interface HeldInvitation {
  readonly organization: OrganizationRow
  readonly invitation: Invitation
}

/**
 * Returns the invitation of a token and locks its organization until the transaction ends. When two people accept it at
 * the same time, the second finds no invitation. Removing the inviter's role or the organization happens before or
 * after, never in between.
 *
 * @throws {Problem} `invitation_ended`
 */
export async function holdInvitation(
  tx: Tx,
  key: InvitationKey,
  now: Date,
): Promise<HeldInvitation> {
  // Checks first, without the lock: an invalid token must not make others wait.
  if ((await findOpenInvitation(tx, key, now)) === undefined) throw invitationEnded()
  await lockOrganization(tx, key.orgId)
  const organization = await findOrganization(tx, key.orgId)
  const invitation = await findOpenInvitation(tx, key, now)
  if (organization === undefined || invitation === undefined) throw invitationEnded()
  return { organization, invitation }
}

export interface JoinInvited extends HeldInvitation {
  readonly user: Pick<UserRow, 'id' | 'name'>
  /** True when the account was created for it. */
  readonly registered: boolean
  readonly request: AuditRequest
  readonly now: Date
}

/**
 * Makes the invited person a member and consumes the invitation, in the caller's transaction. The caller checks first
 * that the invitation is for this person.
 */
export async function joinInvited(tx: Tx, join: JoinInvited): Promise<void> {
  const { organization, invitation, user, registered, request, now } = join
  const orgId = organization.id
  const { role } = invitation
  const { invitedBy } = invitation
  await insertMember(tx, { orgId, userId: user.id, role, grantedBy: invitedBy }, now)
  await deleteInvitation(tx, orgId, invitation.id)
  recordAuditEvent(tx, {
    orgId,
    actor: { type: 'user', id: user.id, name: user.name },
    action: 'member.joined',
    target: { type: 'member', id: user.id, name: user.name },
    detail: { role, registered, invitationId: invitation.id, invitedBy },
    request,
  })
}
