import type { Store } from '../../store/store.ts'
import { findOrganization } from '../organizations/rows.ts'
import { findSessionActor } from '../sessions/find-session-actor.ts'
import { findUserByEmail } from '../user-rows.ts'
import { invitationEnded, maskEmail, readInvitationToken, type Invitation } from './invitation.ts'
import { findOpenInvitation } from './rows.ts'

export interface PreviewInvitationDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly now: () => Date
}

export interface PreviewInvitation {
  readonly token: string
  /** Holds the session token of the browser that asks, if it has one. */
  readonly sessionToken: string | undefined
}

/** Describes an invitation as the bearer of its link sees it. */
export interface InvitationPreview extends Pick<Invitation, 'role' | 'invitedBy' | 'expiresAt'> {
  readonly organizationName: string
  /** Whole for the person with this address, else masked. */
  readonly email: string
  readonly signedInAs: 'nobody' | 'invited' | 'somebody_else'
  readonly accountExists: boolean
}

/**
 * Returns what a link invites to. It reveals only to the holder of the link that the address has an account: registering would
 * reveal that too, and an admin who knew the address made the link, with an audit event.
 *
 * @throws {Problem} `invitation_ended`
 */
export async function previewInvitation(
  deps: PreviewInvitationDeps,
  { token, sessionToken }: PreviewInvitation,
): Promise<InvitationPreview> {
  const key = readInvitationToken(token)
  if (key === undefined) throw invitationEnded()
  const { orgId } = key
  const { organization, invitation, accountExists } = await deps.store.transaction(
    { orgId },
    async (tx) => {
      const organization = await findOrganization(tx, orgId)
      const invitation = await findOpenInvitation(tx, key, deps.now())
      if (organization === undefined || invitation === undefined) throw invitationEnded()
      const account = await findUserByEmail(tx, invitation.email)
      return { organization, invitation, accountExists: account !== undefined }
    },
  )
  const { email, role, invitedBy, expiresAt } = invitation
  const signedInAs = await findSignedIn(deps, { email, sessionToken })
  return {
    organizationName: organization.name,
    invitedBy,
    email: signedInAs === 'invited' ? email : maskEmail(email),
    role,
    expiresAt,
    signedInAs,
    accountExists,
  }
}

interface Visitor {
  readonly email: string
  readonly sessionToken: string | undefined
}

async function findSignedIn(
  deps: PreviewInvitationDeps,
  { email, sessionToken }: Visitor,
): Promise<InvitationPreview['signedInAs']> {
  if (sessionToken === undefined) return 'nobody'
  const sessionActor = await findSessionActor(deps, sessionToken)
  if (sessionActor.outcome !== 'valid') return 'nobody'
  return sessionActor.actor.email === email ? 'invited' : 'somebody_else'
}
