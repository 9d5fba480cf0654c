import { recordAuditEvent } from '../../../audit/record-event.ts'
import type { Tx } from '../../../store/store.ts'
import { refuseWaitingDevices } from '../../devices/rows.ts'
import { domainOf } from '../email-domains/email-domain.ts'
import { isDomainVerified } from '../email-domains/rows.ts'
import { deleteInvitationOf, deleteInvitationsBy } from '../../invitations/rows.ts'
import { lastOwner } from '../member.ts'
import { countOwners, deleteMember, findMember } from '../rows.ts'
import { revokeAllPersonalTokens } from '../../personal-tokens/rows.ts'
import { deleteOtherSessions } from '../../sessions/rows.ts'
import type { Directory, ScimDeps } from './directory.ts'

/**
 * Ends the membership of a person, and with it their agent tokens, grants and groups. Where the organization has verified the domain
 * of their address, the account is of its people: their sessions and personal tokens end too. The organization is locked by the
 * caller, and the transaction runs for the person. Does nothing for somebody who is no member.
 *
 * @throws {Problem} `last_owner`
 */
export async function endMembership(
  tx: Tx,
  { countMade, now }: Pick<ScimDeps, 'countMade' | 'now'>,
  { directory, userId }: { readonly directory: Directory; readonly userId: string },
): Promise<void> {
  const { orgId, author, request } = directory
  const member = await findMember(tx, orgId, userId)
  if (member === undefined) return
  if (member.role === 'owner' && (await countOwners(tx, orgId)) === 1) throw lastOwner()
  const made = await countMade(tx, orgId, userId)
  await deleteMember(tx, orgId, userId)
  const invitationsEnded = await deleteInvitationsBy(tx, orgId, { userId, role: null })
  // Otherwise they come back by it.
  await deleteInvitationOf(tx, orgId, member.email)
  const isOwn = await isDomainVerified(tx, orgId, domainOf(member.email))
  const ended = isOwn ? await endCredentials(tx, userId, now()) : {}
  tx.announce('credentials')
  recordAuditEvent(tx, {
    orgId,
    actor: author,
    action: 'member.deprovisioned',
    target: { type: 'member', id: userId, name: member.name },
    detail: { role: member.role, made, invitationsEnded, ...ended },
    request,
  })
}

/** Ends everything that a person is signed in with, and what waits to be let in by it. */
async function endCredentials(
  tx: Tx,
  userId: string,
  now: Date,
): Promise<{ readonly sessionsEnded: number; readonly tokensEnded: number }> {
  const sessionsEnded = await deleteOtherSessions(tx, userId, null)
  const tokensEnded = await revokeAllPersonalTokens(tx, userId, now)
  await refuseWaitingDevices(tx, userId)
  return { sessionsEnded, tokensEnded }
}
