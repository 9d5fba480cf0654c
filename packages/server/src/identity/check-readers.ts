import type { Store, Tx } from '../store/store.ts'
import { isSessionAlive } from './sessions/session.ts'

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
  readonly sessionEndsAt: Date | null
  readonly tokenId: string | null
  readonly tokenEndsAt: Date | null
}

/**
 * Returns the readers that may read on, in the order they were passed: their session or token holds, and they are members of an
 * organization that is not deleted. Two statements, however many they are.
 */
export async function checkReaders(
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
  readers: readonly Reading[],
): Promise<boolean[]> {
  const { credentials, members } = await store.transaction({ orgId: null }, async (tx) => {
    const [rows, memberIndexes] = await Promise.all([
      listCredentials(tx, readers),
      listMembers(tx, readers),
    ])
    return { credentials: rows, members: memberIndexes }
  })
  const moment = now()
  const held = new Set(credentials.filter((row) => holds(row, moment)).map(({ index }) => index))
  return readers.map(
    ({ userId }, index) => members.has(index) && (userId === null || held.has(index)),
  )
}

function holds({ usedAt, sessionEndsAt, tokenId, tokenEndsAt }: CredentialRow, now: Date): boolean {
  if (usedAt !== null && sessionEndsAt !== null) {
    return isSessionAlive({ usedAt, expiresAt: sessionEndsAt }, now)
  }
  return tokenId !== null && (tokenEndsAt === null || tokenEndsAt > now)
}

const sessionPrefix = 'session_'

/** Returns the credentials that still exist. A session is found by the part of its hash that names it. */
async function listCredentials(tx: Tx, readers: readonly Reading[]): Promise<CredentialRow[]> {
  const hashes = readers.map(({ credentialId }) =>
    credentialId.startsWith(sessionPrefix) ? credentialId.slice(sessionPrefix.length) : null,
  )
  return tx.query<CredentialRow>({
    name: 'list-reading-credentials',
    text: `select coalesce(g.ordinal - 1, -1)::integer as index, s.used_at as "usedAt", s.expires_at as "sessionEndsAt",
        t.id as "tokenId", t.expires_at as "tokenEndsAt"
      from unnest($1::text[], $2::text[]) with ordinality as g (hash, token_id, ordinal)
      left join sessions s on s.token_hash between decode(g.hash || repeat('0', 32), 'hex')
        and decode(g.hash || repeat('f', 32), 'hex')
      left join personal_access_tokens t on t.id = g.token_id and t.revoked_at is null`,
    values: [hashes, readers.map(({ credentialId }) => credentialId)],
  })
}

async function listMembers(tx: Tx, readers: readonly Reading[]): Promise<Set<number>> {
  const rows = await tx.query<{ index: number }>({
    name: 'list-reading-members',
    text: 'select coalesce(ordinal - 1, -1) as index from are_members($1, $2) as ordinal',
    values: [readers.map(({ userId }) => userId), readers.map(({ orgId }) => orgId)],
  })
  return new Set(rows.map(({ index }) => index))
}
