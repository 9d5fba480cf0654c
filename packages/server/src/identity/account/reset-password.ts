import { serverChain, systemAuthor } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { hashPassword } from '../../crypto/passwords.ts'
import { takeRandomBytes } from '../../crypto/random.ts'
import type { Store } from '../../store/store.ts'
import { refuseWaitingDevices } from '../devices/rows.ts'
import { deleteOtherSessions } from '../sessions/rows.ts'
import { findUserByEmail, updatePasswordHash } from '../user-rows.ts'

export interface ResetPassword {
  readonly name: string
  /** To hand over; only its hash is stored. */
  readonly password: string
  readonly sessionsEnded: number
}

/**
 * Sets a new password for a person who has forgotten theirs, on behalf of the operator. Every session ends, on every node at
 * once. A second factor stays, and so do personal tokens. Returns `undefined` when no account has this address.
 */
export async function resetPassword(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  email: string,
): Promise<ResetPassword | undefined> {
  const user = await store.transaction({ orgId: serverChain }, (tx) =>
    findUserByEmail(tx, email.trim().toLowerCase()),
  )
  if (user === undefined) return undefined
  const { id: userId, name } = user
  // 120 bits: too long to be guessed, short enough to be read out.
  const password = takeRandomBytes(15).toString('base64url')
  const passwordHash = await hashPassword(password)
  const sessionsEnded = await store.transaction({ orgId: serverChain, userId }, async (tx) => {
    await updatePasswordHash(tx, userId, passwordHash)
    const ended = await deleteOtherSessions(tx, userId, null)
    await refuseWaitingDevices(tx, userId)
    tx.announce('credentials')
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: systemAuthor,
      action: 'auth.password_reset',
      target: { type: 'user', id: userId, name },
      detail: { sessionsEnded: ended },
    })
    return ended
  })
  return { name, password, sessionsEnded }
}
