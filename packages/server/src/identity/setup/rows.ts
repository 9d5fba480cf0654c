import type { Tx } from '../../store/store.ts'

export interface SetupRow {
  readonly tokenHash: Buffer
  readonly completedAt: Date | null
}

/** Replaces the one-time token, unless the set-up was completed. */
export async function replaceSetupToken(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.query({
    name: 'replace-setup-token',
    text: `insert into setup (token_hash) values ($1)
      on conflict (singleton) do update set token_hash = excluded.token_hash where setup.completed_at is null`,
    values: [tokenHash],
  })
}

export async function findSetup(tx: Tx): Promise<SetupRow | undefined> {
  return tx.db
    .selectFrom('setup')
    .select(['token_hash as tokenHash', 'completed_at as completedAt'])
    .executeTakeFirst()
}

/** The same, held until the transaction ends: of two that complete the set-up at once, one finds it completed. */
export async function lockSetup(tx: Tx): Promise<SetupRow | undefined> {
  return tx.db
    .selectFrom('setup')
    .select(['token_hash as tokenHash', 'completed_at as completedAt'])
    .forUpdate()
    .executeTakeFirst()
}

export async function markSetupCompleted(tx: Tx, completedAt: Date): Promise<void> {
  await tx.db.updateTable('setup').set({ completed_at: completedAt }).execute()
}
