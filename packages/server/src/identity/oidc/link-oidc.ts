import { cutText, Problem } from '@signalbox/contract'
import type { OidcRejection } from '@signalbox/contract/rest'
import { serverChain, type AuditRequest } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { UserActor } from '../../http/admission/actor.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Caller } from '../caller.ts'
import { refuseWaitingDevices } from '../devices/rows.ts'
import { requireSession } from '../sessions/require-session.ts'
import { deleteOtherSessions } from '../sessions/rows.ts'
import { hasPassword } from '../user-rows.ts'
import type { OidcDeps } from './oidc-deps.ts'
import type { OidcPerson } from './oidc-provider.ts'
import { deleteLink, findLink, findLinkedPerson, insertLink } from './rows.ts'

export interface LinkOidc {
  readonly identified: OidcPerson
  /** Began to link in this browser after typing the password, and came back signed in. */
  readonly person: UserActor
  readonly request: AuditRequest
}

/** Links the identity at the provider to the person who is signed in here. The e-mail addresses may differ. */
export async function linkOidc(
  { store, now }: Pick<OidcDeps, 'store' | 'now'>,
  { identified, person, request }: LinkOidc,
): Promise<{ readonly session: undefined } | OidcRejection> {
  const { email = null } = await identified.readProfile()
  const { issuer, subject } = identified
  const { userId } = person
  return store.transaction({ orgId: serverChain, userId }, async (tx) => {
    const link = {
      issuer,
      subject,
      userId,
      email: email === null || email === undefined ? null : cutText(email, 254),
      createdAt: now(),
    }
    if (!(await insertLink(tx, link))) {
      const holder = await findLinkedPerson(tx, identified)
      if (holder === undefined) return 'already_linked'
      return holder.userId === userId ? { session: undefined } : 'identity_taken'
    }
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(person),
      action: 'auth.oidc_linked',
      target: { type: 'user', id: userId, name: person.name },
      request,
    })
    return { session: undefined }
  })
}

/**
 * Ends the link of a person, all their sessions but the one that asks, and what was let in and not fetched yet: any of it may
 * have been opened by the account that was linked.
 *
 * @throws {Problem} `not_found` when there is none; `conflict` when it is their only way in; `session_required`
 */
export async function unlinkOidc(
  { store }: Pick<OidcDeps, 'store'>,
  { actor: anyone, scope, request }: Caller,
): Promise<void> {
  const actor = requireSession(anyone)
  const { userId } = actor
  await store.transaction({ ...scope, orgId: serverChain }, async (tx) => {
    if ((await findLink(tx, userId)) === undefined) throw notFound()
    if (!(await hasPassword(tx, userId))) {
      const detail = 'The account has no password, so without the link nobody could sign in to it.'
      throw new Problem('conflict', detail)
    }
    await deleteLink(tx, userId)
    const ended = await deleteOtherSessions(tx, userId, actor.credentialId)
    await refuseWaitingDevices(tx, userId)
    tx.announce('credentials')
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: 'auth.oidc_unlinked',
      target: { type: 'user', id: userId, name: actor.name },
      detail: { ended },
      request,
    })
  })
}
