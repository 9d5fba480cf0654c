import type { Tx } from '../../store/store.ts'
import { findMembership, type Membership } from '../organizations/rows.ts'

/** Describes the state of the set-up. */
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

/** Finds the state of the set-up. */
export async function findSetup(tx: Tx): Promise<SetupRow | undefined> {
  const [row] = await tx.query<SetupRow>({
    name: 'find-setup',
    text: 'select token_hash as "tokenHash", completed_at as "completedAt" from setup',
    values: [],
  })
  return row
}

/** Locks the set-up until the transaction ends: of two that complete it at once, one finds it completed. */
export async function lockSetup(tx: Tx): Promise<SetupRow | undefined> {
  const [row] = await tx.query<SetupRow>({
    name: 'lock-setup',
    text: 'select token_hash as "tokenHash", completed_at as "completedAt" from setup for update',
    values: [],
  })
  return row
}

/** Marks the set-up as completed. */
export async function markSetupCompleted(
  tx: Tx,
  { completedAt, firstOrgId }: { readonly completedAt: Date; readonly firstOrgId: string },
): Promise<void> {
  await tx.query({
    name: 'mark-setup-completed',
    text: 'update setup set completed_at = $1, first_org_id = $2',
    values: [completedAt, firstOrgId],
  })
}

/** Finds the membership of an owner of the organization that the set-up made; `undefined` for anyone else. */
export async function findOperator(tx: Tx, userId: string): Promise<Membership | undefined> {
  const [setup] = await tx.query<{ firstOrgId: string | null }>({
    name: 'find-first-organization',
    text: 'select first_org_id as "firstOrgId" from setup',
    values: [],
  })
  const membership = await findMembership(tx, userId, setup?.firstOrgId ?? '')
  return membership?.role === 'owner' ? membership : undefined
}
