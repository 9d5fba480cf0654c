import type { Tx } from '../store/store.ts'

/** Describes a stored user. */
export interface UserRow {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string | null
}

/** Finds the person with this address, which is stored in lower case. */
export async function findUserByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  const [row] = await tx.query<UserRow>({
    name: 'find-user-by-email',
    text: 'select id, email, name, password_hash as "passwordHash" from users where email = $1',
    values: [email],
  })
  return row
}

/** Writes a record to the log of the database that nobody reads, so that the commit takes as long as one that stores a row. */
export async function writeNothing(tx: Tx): Promise<void> {
  await tx.query<{ position: string | null }>({
    name: 'write-nothing',
    text: `select pg_logical_emit_message(true, 'signalbox', '')::text as position`,
    values: [],
  })
}

/** Locks the stored password of a person: no other transaction changes it until this one ends. */
export async function holdPasswordHash(tx: Tx, userId: string): Promise<string | null | undefined> {
  const [row] = await tx.query<{ passwordHash: string | null }>({
    name: 'hold-password-hash',
    text: 'select password_hash as "passwordHash" from users where id = $1 for no key update',
    values: [userId],
  })
  return row?.passwordHash
}

/** Updates the password of a person. */
export async function updatePasswordHash(
  tx: Tx,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await tx.query({
    name: 'update-password-hash',
    text: 'update users set password_hash = $2 where id = $1',
    values: [userId, passwordHash],
  })
}

/** Updates the name of a person. */
export async function updateUserName(tx: Tx, userId: string, name: string): Promise<void> {
  await tx.query({
    name: 'update-user-name',
    text: 'update users set name = $2 where id = $1',
    values: [userId, name],
  })
}

/** Adds a person. Returns false when the address has an account. */
export async function insertUserIfAbsent(tx: Tx, user: UserRow, createdAt: Date): Promise<boolean> {
  const { id, email, name, passwordHash } = user
  const rows = await tx.query({
    name: 'insert-user-unless-taken',
    text: `insert into users (id, email, name, password_hash, created_at) values ($1, $2, $3, $4, $5)
      on conflict (email) do nothing returning id`,
    values: [id, email, name, passwordHash, createdAt],
  })
  return rows.length === 1
}

/** Inserts a person. */
export async function insertUser(tx: Tx, user: UserRow, createdAt: Date): Promise<void> {
  const { id, email, name, passwordHash } = user
  await tx.query({
    name: 'insert-user',
    text: 'insert into users (id, email, name, password_hash, created_at) values ($1, $2, $3, $4, $5)',
    values: [id, email, name, passwordHash, createdAt],
  })
}

/** Returns whether anybody can sign in, which ends the set-up. */
export async function hasUsers(tx: Tx): Promise<boolean> {
  const rows = await tx.query({
    name: 'has-users',
    text: 'select 1 from users limit 1',
    values: [],
  })
  return rows.length > 0
}

/** Finds the name of a person. A deleted person has none. */
export async function findUserName(tx: Tx, userId: string): Promise<string> {
  const [row] = await tx.query<{ name: string }>({
    name: 'find-user-name',
    text: 'select name from users where id = $1',
    values: [userId],
  })
  return row?.name ?? ''
}

/** Returns whether a person can sign in with a password. */
export async function hasPassword(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'has-password',
    text: 'select 1 from users where id = $1 and password_hash is not null',
    values: [userId],
  })
  return rows.length > 0
}

/** Returns whether nobody can sign in to an account: a directory added it, and its person has not come yet. */
export async function isUnclaimed(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'is-unclaimed',
    text: `select 1 from users u where u.id = $1 and u.password_hash is null
      and not exists (select from oidc_identities i where i.user_id = u.id)
      and not is_linked_to_provider(u.id)
      and not exists (select from sessions s where s.user_id = u.id)
      and not exists (select from personal_access_tokens t where t.user_id = u.id and t.revoked_at is null)`,
    values: [userId],
  })
  return rows.length > 0
}
