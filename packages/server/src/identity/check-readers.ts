import type { Store, Tx } from '../store/store.ts'
import { findRejection, type MemberCredential } from './organizations/policies/apply-policies.ts'
import { lifeMsOf } from './personal-tokens/token-rules.ts'
import type { MemberPolicies } from './organizations/policies/policies.ts'
import { idleMsOf, isSessionAlive } from './sessions/session.ts'

/** Describes an open stream's credential, and its person. */
export interface Reading {
  readonly orgId: string
  readonly credentialId: string
  /** `null`: the bootstrap token, which belongs to no person and is valid as long as the process runs. */
  readonly userId: string | null
}

interface CredentialRow {
  readonly index: number
  readonly usedAt: Date | null
  readonly authenticatedAt: Date | null
  readonly idleSeconds: number | null
  readonly sessionEndsAt: Date | null
  readonly tokenMadeAt: Date | null
  readonly tokenEndsAt: Date | null
}

interface PolicyRow extends MemberPolicies {
  readonly index: number
}

/**
 * Returns the readers that may read on, in the order they were passed: their session or token holds, and they are members of an
 * organization that is not deleted and lets them in. Two statements, however many they are.
 */
export async function checkReaders(
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
  readers: readonly Reading[],
): Promise<boolean[]> {
  const [credentials, members] = await store.transaction({ orgId: null }, (tx) =>
    Promise.all([listCredentials(tx, readers), listPolicies(tx, readers)]),
  )
  const moment = now()
  const held = new Map(credentials.map((row) => [row.index, findCredential(row, moment)]))
  const policies = new Map(members.map((row) => [row.index, row]))
  return readers.map(({ userId }, index) => {
    const required = policies.get(index)
    const credential = held.get(index)
    if (required === undefined || userId === null) return required !== undefined
    return credential !== undefined && findRejection(required, credential) === undefined
  })
}

/** Returns the session or token of a reader; `undefined` for one that has ended. */
function findCredential(row: CredentialRow, now: Date): MemberCredential | undefined {
  const { usedAt, authenticatedAt, idleSeconds, sessionEndsAt: expiresAt } = row
  if (usedAt !== null && expiresAt !== null && authenticatedAt !== null) {
    if (!isSessionAlive({ usedAt, expiresAt }, now)) return undefined
    const idleMs = idleMsOf({ usedAt, idleSeconds: idleSeconds ?? 0 }, now)
    return { type: 'session', authenticatedAt, idleMs }
  }
  const { tokenMadeAt: createdAt, tokenEndsAt } = row
  if (createdAt === null || (tokenEndsAt !== null && tokenEndsAt <= now)) return undefined
  return { type: 'token', lifeMs: lifeMsOf({ createdAt, expiresAt: tokenEndsAt }) }
}

const sessionPrefix = 'session_'

/** Returns the credentials that still exist. A session is found by the part of its hash that names it. */
async function listCredentials(tx: Tx, readers: readonly Reading[]): Promise<CredentialRow[]> {
  const hashes = readers.map(({ credentialId }) =>
    credentialId.startsWith(sessionPrefix) ? credentialId.slice(sessionPrefix.length) : null,
  )
  return tx.query<CredentialRow>({
    name: 'list-reading-credentials',
    text: `select coalesce(g.ordinal - 1, -1)::integer as index, s.used_at as "usedAt",
        s.authenticated_at as "authenticatedAt", s.idle_seconds as "idleSeconds", s.expires_at as "sessionEndsAt",
        t.created_at as "tokenMadeAt", t.expires_at as "tokenEndsAt"
      from unnest($1::text[], $2::text[]) with ordinality as g (hash, token_id, ordinal)
      left join sessions s on s.token_hash between decode(g.hash || repeat('0', 32), 'hex')
        and decode(g.hash || repeat('f', 32), 'hex')
      left join personal_access_tokens t on t.id = g.token_id and t.revoked_at is null`,
    values: [hashes, readers.map(({ credentialId }) => credentialId)],
  })
}

/** Returns what the organizations require of the readers that are members of them. */
async function listPolicies(tx: Tx, readers: readonly Reading[]): Promise<PolicyRow[]> {
  return tx.query<PolicyRow>({
    name: 'list-reading-policies',
    text: `select coalesce(place - 1, -1) as index, coalesce(lacks_second_factor, false) as "lacksSecondFactor",
        token_days as "tokenDays", session_idle_minutes as "sessionIdleMinutes", sessions_valid_from as "sessionsValidFrom"
      from find_member_policies($1, $2)`,
    values: [readers.map(({ userId }) => userId), readers.map(({ orgId }) => orgId)],
  })
}
