import type { Store } from '../store/store.ts'
import { deleteEndedAgentTokens } from './members/agent-tokens/rows.ts'
import { deleteRevokedKeys } from './api-keys/rows.ts'
import { deleteRevokedTokens } from './personal-tokens/rows.ts'
import { deleteEndedSessions } from './sessions/rows.ts'
import { sessionIdleMs } from './sessions/session.ts'

/** Keeps revoked keys and tokens for so long, so that they are told apart from unknown ones and stay in lists. */
const revokedRetentionMs = 400 * 24 * 3600 * 1000

/** Counts the credentials that were purged. */
export interface PurgedCredentials {
  readonly sessions: number
  readonly apiKeys: number
  readonly personalTokens: number
  readonly agentTokens: number
}

const batchSize = 1_000

/** Removes what opens nothing any more: ended sessions at once, revoked keys and tokens after 400 days. Repeat-safe. */
export async function purgeCredentials({
  store,
  now,
}: {
  readonly store: Pick<Store, 'maintenance'>
  readonly now: () => Date
}): Promise<PurgedCredentials> {
  const expiredBefore = now()
  const unusedSince = new Date(expiredBefore.getTime() - sessionIdleMs)
  const revokedBefore = new Date(expiredBefore.getTime() - revokedRetentionMs)
  let sessions = 0
  for (;;) {
    const ended = { expiredBefore, unusedSince, limit: batchSize }
    const count = await store.maintenance((tx) => deleteEndedSessions(tx, ended))
    sessions += count
    if (count < batchSize) break
  }
  return store.maintenance(async (tx) => ({
    sessions,
    apiKeys: await deleteRevokedKeys(tx, revokedBefore),
    personalTokens: await deleteRevokedTokens(tx, revokedBefore),
    agentTokens: await deleteEndedAgentTokens(tx, revokedBefore),
  }))
}
