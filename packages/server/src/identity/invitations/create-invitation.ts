import { limits, Problem, type Role } from '@signalbox/contract'
import { makerOf, toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { newId } from '../../crypto/ids.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { holdMembers, requireAdmin } from '../members/hold-members.ts'
import { mayGrant, ownersOnly } from '../members/member.ts'
import { hasMemberWithEmail } from '../members/rows.ts'
import { invitationMs, newInvitationToken, type Invitation } from './invitation.ts'
import { countOpenInvitations, deleteInvitationOf, insertInvitation } from './rows.ts'

export interface CreateInvitationDeps {
  readonly store: Pick<Store, 'transaction'>
  /** Returns the address of this server as browsers see it. */
  readonly publicUrl: () => string
  readonly now: () => Date
}

export interface CreateInvitation {
  readonly orgId: string
  readonly email: string
  readonly role: Role
  readonly caller: Caller
}

/** Describes an invitation at the one moment when its link is known. */
export interface InvitationWithUrl extends Invitation {
  /** The token is in the fragment, which browsers do not send, so it reaches no log of this server or of a proxy. */
  readonly url: string
}

/**
 * Invites an address, in place of an invitation that it has. The link is in the result and nowhere else.
 *
 * @throws {Problem} `role_forbidden`, `quota_exceeded`; `already_exists` for the address of a member.
 */
export async function createInvitation(
  { store, publicUrl, now }: CreateInvitationDeps,
  { orgId, email, role, caller }: CreateInvitation,
): Promise<InvitationWithUrl> {
  const { actor, scope, request } = caller
  const createdAt = now()
  const expiresAt = new Date(createdAt.getTime() + invitationMs)
  const id = newId('inv', createdAt)
  return store.transaction(scope, async (tx) => {
    const acting = await holdMembers(tx, orgId, actor)
    requireAdmin(acting)
    if (!mayGrant(acting, role)) throw ownersOnly()
    if (await hasMemberWithEmail(tx, orgId, email)) throw isMember()
    const replaced = await deleteInvitationOf(tx, orgId, email)
    await requireQuota(tx, orgId, createdAt)
    const { token, tokenHash } = newInvitationToken(orgId)
    const invitedBy = makerOf({ author: toAuthor(actor), request })
    const invitation = { id, email, role, invitedBy, createdAt, expiresAt }
    await insertInvitation(tx, { ...invitation, orgId, tokenHash })
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(actor),
      action: 'invitation.created',
      target: { type: 'invitation', id, name: email },
      detail: { role, replaced },
      request,
    })
    return { ...invitation, url: `${publicUrl()}/invitation#${token}` }
  })
}

function isMember(): Problem {
  const detail = 'Somebody with this address is a member. Change the role in the list of members.'
  return new Problem('already_exists', detail, {
    errors: [{ pointer: '/email', code: 'already_exists', detail }],
  })
}

async function requireQuota(tx: Tx, orgId: string, now: Date): Promise<void> {
  if ((await countOpenInvitations(tx, orgId, now)) < limits.invitationsPerOrganization) return
  const detail = `At most ${limits.invitationsPerOrganization} invitations of an organization can be open. Withdraw one that you don’t need.`
  throw new Problem('quota_exceeded', detail)
}
