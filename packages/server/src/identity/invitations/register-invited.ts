import { Problem } from '@signalbox/contract'
import type { AuditRequest } from '../../audit/audit-event.ts'
import { newId } from '../../crypto/ids.ts'
import { hashPassword } from '../../crypto/passwords.ts'
import type { Store } from '../../store/store.ts'
import { signOutFormerPerson } from '../sessions/end-former-session.ts'
import { openSession, type OpenedSession } from '../sessions/open-session.ts'
import { insertUserIfAbsent, type UserRow } from '../user-rows.ts'
import type { NewMembership } from './accept-invitation.ts'
import { invitationEnded, readInvitationToken } from './invitation.ts'
import { holdInvitation, joinInvited } from './join-invited.ts'
import { previewInvitation } from './preview-invitation.ts'
import { requireUncommonPassword } from '../account/judge-password.ts'

export interface RegisterInvited {
  readonly token: string
  readonly name: string
  readonly password: string
  /** The session that the browser has until now, if any. */
  readonly formerToken: string | undefined
  readonly request: AuditRequest
}

/** Describes the new account, and the organization it joined. */
export interface Registered extends NewMembership {
  readonly user: Pick<UserRow, 'id' | 'name' | 'email'>
  readonly session: OpenedSession
}

/**
 * Creates an account for the invited address, which has none, makes it a member and signs it in: all of it or
 * nothing. The address comes from the invitation and from nowhere else.
 *
 * @throws {Problem} `invitation_ended`; `already_exists` when the address has an account; `validation_failed` for a
 * password that is guessed first
 */
export async function registerInvited(
  deps: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
  { token, name, password, formerToken, request }: RegisterInvited,
): Promise<Registered> {
  const key = readInvitationToken(token)
  if (key === undefined) throw invitationEnded()
  // Before the costly hash of the password: only a valid link may cause that.
  const preview = await previewInvitation(deps, { token, sessionToken: undefined })
  if (preview.accountExists) throw hasAccount()
  requireUncommonPassword(password, '/password')
  const passwordHash = await hashPassword(password)
  const now = deps.now()
  const id = newId('usr', now)
  const registered = await deps.store.transaction({ orgId: key.orgId, userId: id }, async (tx) => {
    const held = await holdInvitation(tx, key, now)
    const { organization, invitation } = held
    const user = { id, name, email: invitation.email }
    if (!(await insertUserIfAbsent(tx, { ...user, passwordHash }, now))) throw hasAccount()
    await joinInvited(tx, { ...held, user, registered: true, request, now })
    const session = await openSession(tx, { userId: id, request, now })
    return { user, organization, role: invitation.role, session }
  })
  await signOutFormerPerson(deps, { token: formerToken, userId: id, request })
  return registered
}

function hasAccount(): Problem {
  const detail =
    'The invited address already has an account. Sign in with it, then open the link again.'
  return new Problem('already_exists', detail)
}
