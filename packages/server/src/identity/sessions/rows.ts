import type { Tx } from '../../store/store.ts'

export interface NewSessionRow {
  readonly tokenHash: Buffer
  readonly userId: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly userAgent: string | null
  readonly ip: string
}

export async function insertSession(tx: Tx, session: NewSessionRow): Promise<void> {
  const { tokenHash, userId, createdAt, expiresAt, userAgent, ip } = session
  await tx.db
    .insertInto('sessions')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      created_at: createdAt,
      authenticated_at: createdAt,
      used_at: createdAt,
      expires_at: expiresAt,
      user_agent: userAgent,
      ip,
    })
    .execute()
}

export interface SessionRow {
  readonly userId: string
  readonly name: string
  readonly email: string
  /** When the password was last typed. */
  readonly authenticatedAt: Date
  readonly usedAt: Date
  readonly expiresAt: Date
}

/** The session of this token and the person it belongs to. Asked with every request of a browser. */
export async function findSession(tx: Tx, tokenHash: Buffer): Promise<SessionRow | undefined> {
  const [row] = await tx.query<SessionRow>({
    name: 'find-session',
    text: `select s.user_id as "userId", u.name, u.email, s.authenticated_at as "authenticatedAt", s.used_at as "usedAt",
        s.expires_at as "expiresAt"
      from sessions s join users u on u.id = s.user_id where s.token_hash = $1`,
    values: [tokenHash],
  })
  return row
}

export async function touchSession(tx: Tx, tokenHash: Buffer, usedAt: Date): Promise<void> {
  await tx.query({
    name: 'touch-session',
    text: 'update sessions set used_at = $2 where token_hash = $1 and used_at < $2',
    values: [tokenHash, usedAt],
  })
}

/** Notes that the person of a session typed the password. */
export async function markSessionConfirmed(
  tx: Tx,
  tokenHash: Buffer,
  authenticatedAt: Date,
): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({ authenticated_at: authenticatedAt })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Ends a session. Answers whether there was one. */
export async function deleteSession(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const result = await tx.db
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Removes sessions that ended, at most `limit` at once. Answers how many. */
export async function deleteEndedSessions(
  tx: Tx,
  ended: { readonly expiredBefore: Date; readonly unusedSince: Date; readonly limit: number },
): Promise<number> {
  const rows = await tx.query({
    name: 'delete-ended-sessions',
    text: `delete from sessions where token_hash in (
        select token_hash from sessions where expires_at < $1 or used_at < $2 limit $3)
      returning token_hash`,
    values: [ended.expiredBefore, ended.unusedSince, ended.limit],
  })
  return rows.length
}
