import type { Tx } from '../store/store.ts'

export interface UserRow {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string | null
}

/** The person with this address, which is stored in lower case. */
export async function findUserByEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  return tx.db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'password_hash as passwordHash'])
    .where('email', '=', email)
    .executeTakeFirst()
}

export async function insertUser(tx: Tx, user: UserRow, createdAt: Date): Promise<void> {
  const { id, email, name, passwordHash } = user
  await tx.db
    .insertInto('users')
    .values({ id, email, name, password_hash: passwordHash, created_at: createdAt })
    .execute()
}

/** Whether anybody can sign in, which ends the set-up. */
export async function hasUsers(tx: Tx): Promise<boolean> {
  const row = await tx.db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}
