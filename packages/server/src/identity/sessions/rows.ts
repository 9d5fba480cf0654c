import type { Tx } from '../../store/store.ts'

/** Describes a stored new session. */
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
  await tx.query({
    name: 'insert-session',
    text: `insert into sessions
        (token_hash, user_id, created_at, authenticated_at, used_at, expires_at, user_agent, ip)
      values ($1, $2, $3, $3, $3, $4, $5, $6)`,
    values: [tokenHash, userId, createdAt, expiresAt, userAgent, ip],
  })
}

/** Describes a stored session. */
export interface SessionRow {
  readonly userId: string
  readonly name: string
  readonly email: string
  /** When the password was last typed. */
  readonly authenticatedAt: Date
  readonly usedAt: Date
  /** Holds the longest time without a request since the password was typed. */
  readonly idleSeconds: number
  readonly expiresAt: Date
}

/** Finds the session of this token and the person it belongs to. Asked with every request of a browser. */
export async function findSession(tx: Tx, tokenHash: Buffer): Promise<SessionRow | undefined> {
  const [row] = await tx.query<SessionRow>({
    name: 'find-session',
    text: `select s.user_id as "userId", u.name, u.email, s.authenticated_at as "authenticatedAt", s.used_at as "usedAt",
        s.idle_seconds as "idleSeconds", s.expires_at as "expiresAt"
      from sessions s join users u on u.id = s.user_id where s.token_hash = $1`,
    values: [tokenHash],
  })
  return row
}

/** Updates the last use of a session, and notes how long it was idle before. */
export async function touchSession(tx: Tx, tokenHash: Buffer, usedAt: Date): Promise<void> {
  await tx.query({
    name: 'touch-session',
    text: `update sessions set used_at = $2,
        idle_seconds = greatest(idle_seconds, extract(epoch from $2 - used_at)::integer)
      where token_hash = $1 and used_at < $2`,
    values: [tokenHash, usedAt],
  })
}

/** Records that the person of a session typed the password. */
export async function markSessionConfirmed(
  tx: Tx,
  tokenHash: Buffer,
  authenticatedAt: Date,
): Promise<void> {
  await tx.query({
    name: 'mark-session-confirmed',
    text: 'update sessions set authenticated_at = $2, idle_seconds = 0 where token_hash = $1',
    values: [tokenHash, authenticatedAt],
  })
}

/** Ends a session. Returns whether there was one. */
export async function deleteSession(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx.query({
    name: 'delete-session',
    text: 'delete from sessions where token_hash = $1 returning 1',
    values: [tokenHash],
  })
  return rows.length > 0
}

/** Describes a session as its person sees it. */
export interface OwnSessionRow {
  readonly tokenHash: Buffer
  readonly userAgent: string | null
  readonly ip: string | null
  readonly createdAt: Date
  readonly usedAt: Date
  readonly expiresAt: Date
}

/** Lists the sessions of a person that work at a moment, the last used first. */
export async function listSessionRows(
  tx: Tx,
  userId: string,
  alive: { readonly now: Date; readonly usedSince: Date; readonly limit: number },
): Promise<OwnSessionRow[]> {
  return tx.query<OwnSessionRow>({
    name: 'list-sessions',
    text: `select token_hash as "tokenHash", user_agent as "userAgent", ip, created_at as "createdAt",
        used_at as "usedAt", expires_at as "expiresAt"
      from sessions where user_id = $1 and expires_at > $2 and used_at > $3
      order by used_at desc, token_hash limit $4`,
    values: [userId, alive.now, alive.usedSince, alive.limit],
  })
}

/** Locks the session of this id, of this person, so that it does not end before the transaction. Returns whether it exists. */
export async function lockSession(tx: Tx, userId: string, sessionId: string): Promise<boolean> {
  // Weaker than `for update`, so that the use of the session can be recorded at the same time.
  const rows = await tx.query({
    name: 'lock-session',
    text: `select 1 from sessions where user_id = $1 and 'session_' || encode(substring(token_hash for 16), 'hex') = $2
      for key share`,
    values: [userId, sessionId],
  })
  return rows.length === 1
}

/** Ends the session of this id, of this person. Returns whether there was one. */
export async function deleteSessionById(
  tx: Tx,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'delete-session-by-id',
    text: `delete from sessions where user_id = $1 and 'session_' || encode(substring(token_hash for 16), 'hex') = $2
      returning 1`,
    values: [userId, sessionId],
  })
  return rows.length === 1
}

/** Ends every session of a person but the one with this id. Returns how many there were. */
export async function deleteOtherSessions(
  tx: Tx,
  userId: string,
  keptId: string | null,
): Promise<number> {
  const rows = await tx.query({
    name: 'delete-other-sessions',
    text: `delete from sessions where user_id = $1
        and ($2::text is null or 'session_' || encode(substring(token_hash for 16), 'hex') <> $2)
      returning 1`,
    values: [userId, keptId],
  })
  return rows.length
}

/** Removes sessions that ended, at most `limit` at once. Returns how many. */
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
