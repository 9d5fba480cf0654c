import type { Tx } from '../../store/store.ts'

/** Describes a personal access token as its owner sees it: never the token. */
export interface PersonalToken {
  readonly id: string
  readonly name: string
  readonly handle: string
  /** Says whether it may open doors. */
  readonly manages: boolean
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  readonly createdAt: Date
}

/** Describes a token that is to be stored. */
export interface NewPersonalToken extends Omit<PersonalToken, 'lastUsedAt'> {
  readonly userId: string
  readonly hash: Buffer
}

/** Inserts a personal access token. */
export async function insertPersonalToken(tx: Tx, token: NewPersonalToken): Promise<void> {
  const { id, userId, name, handle, hash, manages, createdAt, expiresAt } = token
  await tx.query({
    name: 'insert-personal-token',
    text: `insert into personal_access_tokens (id, user_id, name, handle, hash, created_at, expires_at, manages)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [id, userId, name, handle, hash, createdAt, expiresAt, manages],
  })
}

/** Returns how many tokens of a person are not revoked. Holds the person, so that they are not counted twice at once. */
export async function countPersonalTokens(tx: Tx, userId: string): Promise<number> {
  await tx.query({
    name: 'lock-user',
    text: 'select id from users where id = $1 for no key update',
    values: [userId],
  })
  const [row] = await tx.query<{ count: number }>({
    name: 'count-personal-tokens',
    text: 'select count(*) as count from personal_access_tokens where user_id = $1 and revoked_at is null',
    values: [userId],
  })
  return row?.count ?? 0
}

/** Lists tokens of a person that are not revoked, newest first. */
export async function listPersonalTokenRows(
  tx: Tx,
  userId: string,
  { beforeId, limit }: { readonly beforeId: string | undefined; readonly limit: number },
): Promise<PersonalToken[]> {
  return tx.query<PersonalToken>({
    name: 'list-personal-tokens',
    text: `select id, name, handle, manages, expires_at as "expiresAt", last_used_at as "lastUsedAt",
        created_at as "createdAt"
      from personal_access_tokens
      where user_id = $1 and revoked_at is null and ($2::text is null or id < $2)
      order by id desc limit $3`,
    values: [userId, beforeId, limit],
  })
}

/** Revokes a token of a person. Returns its name, or `undefined` when they have no such token. */
export async function markPersonalTokenRevoked(
  tx: Tx,
  token: { readonly userId: string; readonly id: string; readonly revokedAt: Date },
): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>({
    name: 'mark-personal-token-revoked',
    text: `update personal_access_tokens set revoked_at = $3
      where user_id = $1 and id = $2 and revoked_at is null returning name`,
    values: [token.userId, token.id, token.revokedAt],
  })
  return row?.name
}

/** Describes the person of a token. */
export interface PersonalTokenOwner {
  readonly id: string
  readonly name: string
  readonly hash: Buffer
  readonly manages: boolean
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly endedAt: Date | null
  readonly userId: string
  readonly userName: string
  readonly email: string
}

/** Finds the token with this handle and the person it belongs to. Asked with every request that brings one. */
export async function findPersonalTokenOwner(
  tx: Tx,
  handle: string,
): Promise<PersonalTokenOwner | undefined> {
  const [row] = await tx.query<PersonalTokenOwner>({
    name: 'find-personal-token',
    text: `select t.id, t.name, t.hash, t.manages, t.created_at as "createdAt", t.expires_at as "expiresAt", t.revoked_at as "endedAt", u.id as "userId",
        u.name as "userName", u.email
      from personal_access_tokens t join users u on u.id = t.user_id where t.handle = $1`,
    values: [handle],
  })
  return row
}

/** Describes the last use of a token. */
export interface TokenUse {
  readonly tokenId: string
  readonly usedAt: Date
}

/** Records uses of tokens, as maintenance. */
export async function recordTokenUses(tx: Tx, uses: readonly TokenUse[]): Promise<void> {
  await tx.query({
    name: 'record-token-uses',
    text: `update personal_access_tokens t set last_used_at = greatest(t.last_used_at, given.used_at)
      from unnest($1::text[], $2::timestamptz[]) as given (id, used_at) where t.id = given.id`,
    values: [uses.map(({ tokenId }) => tokenId), uses.map(({ usedAt }) => usedAt)],
  })
}

/** Removes tokens that were revoked before a moment, for maintenance. Returns how many. */
export async function deleteRevokedTokens(tx: Tx, revokedBefore: Date): Promise<number> {
  const rows = await tx.query({
    name: 'delete-revoked-personal-tokens',
    text: 'delete from personal_access_tokens where revoked_at < $1 returning 1',
    values: [revokedBefore],
  })
  return rows.length
}

/** Revokes every token of a person. Returns how many there were. */
export async function revokeAllPersonalTokens(
  tx: Tx,
  userId: string,
  revokedAt: Date,
): Promise<number> {
  const rows = await tx.query({
    name: 'revoke-all-personal-tokens',
    text: `update personal_access_tokens set revoked_at = $2 where user_id = $1 and revoked_at is null returning 1`,
    values: [userId, revokedAt],
  })
  return rows.length
}
