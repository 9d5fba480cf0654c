import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { requirePerson } from '../personal-tokens/require-person.ts'
import { describeClient } from './describe-client.ts'
import { listSessionRows, type OwnSessionRow } from './rows.ts'
import { sessionIdleMs, sessionIdOf } from './session.ts'

/** More than anybody recognises. */
const sessionsShown = 100

/** Lists the caller's sessions, the last used first. */
export async function listSessions(
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
  actor: Caller['actor'],
): Promise<readonly OwnSessionRow[]> {
  const { userId } = requirePerson(actor)
  const moment = now()
  const usedSince = new Date(moment.getTime() - sessionIdleMs)
  const alive = { now: moment, usedSince, limit: sessionsShown }
  return store.transaction({ orgId: null, userId }, (tx) => listSessionRows(tx, userId, alive))
}

/** Returns a session as the API shows it to its person. `currentId` is that of the session that asks. */
export function presentSession(
  { tokenHash, userAgent, ip, createdAt, usedAt, expiresAt }: OwnSessionRow,
  currentId: string,
) {
  const id = sessionIdOf(tokenHash)
  return {
    id,
    current: id === currentId,
    client: describeClient(userAgent),
    ip,
    createdAt: createdAt.toISOString(),
    lastUsedAt: usedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}
