import type { Tx } from '../../store/store.ts'
import { findMemberRole } from './rows.ts'
import { lockOrganization } from '../organizations/rows.ts'
import { mayDo } from '../roles.ts'
import { lockSession } from '../sessions/rows.ts'

/** Names the right that a person has lost: their session, or the role of an admin. */
export type LostRight = 'session_changed' | 'role_changed'

/** Names a person and the session of their browser. */
export interface PersonOfSession {
  readonly userId: string
  readonly sessionId: string
}

/**
 * Locks an organization and the session of a person, so that neither the person's role nor the session ends before the
 * transaction does. Returns the right that the person has lost already; `undefined` when they still administer the organization.
 */
export async function holdAdmin(
  tx: Tx,
  orgId: string,
  { userId, sessionId }: PersonOfSession,
): Promise<LostRight | undefined> {
  if (!(await lockOrganization(tx, orgId))) return 'role_changed'
  if (!(await lockSession(tx, userId, sessionId))) return 'session_changed'
  return mayDo(await findMemberRole(tx, orgId, userId), 'admin') ? undefined : 'role_changed'
}
