import { newOpaqueToken } from '../../crypto/opaque-tokens.ts'
import { toKeptUserAgent, type AuditRequest } from '../../audit/audit-event.ts'
import { addressSubject } from '../../http/admission/client-address.ts'
import type { Tx } from '../../store/store.ts'
import { insertSession } from './rows.ts'
import { sessionLifetimeMs } from './session.ts'

/** Describes a new session as the browser gets it. */
export interface OpenedSession {
  /** The value of the cookie. Only its hash is stored. */
  readonly token: string
  readonly expiresAt: Date
}

/** Begins a session of `userId` in the caller's transaction. Its token was never used before. */
export async function openSession(
  tx: Tx,
  {
    userId,
    request,
    now,
  }: { readonly userId: string; readonly request: AuditRequest; readonly now: Date },
): Promise<OpenedSession> {
  const { token, hash } = newOpaqueToken()
  const expiresAt = new Date(now.getTime() + sessionLifetimeMs)
  await insertSession(tx, {
    tokenHash: hash,
    userId,
    createdAt: now,
    expiresAt,
    userAgent: toKeptUserAgent(request.userAgent),
    ip: addressSubject(request.ip),
  })
  return { token, expiresAt }
}
