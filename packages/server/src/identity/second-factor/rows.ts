import type { Tx } from '../../store/store.ts'

/** Describes a stored second factor. */
export interface SecondFactorRow {
  readonly sealed: Buffer
  readonly createdAt: Date
  /** `null`: it waits for its first code, and is not asked for. */
  readonly confirmedAt: Date | null
  /** The period whose code was taken last. */
  readonly lastStep: number
  readonly failures: number
  readonly failedAt: Date | null
}

const columns = `sealed, created_at as "createdAt", confirmed_at as "confirmedAt", last_step as "lastStep", failures,
  failed_at as "failedAt"`

/** Finds the second factor of a person. */
export async function findSecondFactor(
  tx: Tx,
  userId: string,
): Promise<SecondFactorRow | undefined> {
  const [row] = await tx.query<SecondFactorRow>({
    name: 'find-second-factor',
    text: `select ${columns} from second_factors where user_id = $1`,
    values: [userId],
  })
  return row
}

/** Locks the second factor of a person until the transaction ends: of two that take one code at once, one finds it taken. */
export async function lockSecondFactor(
  tx: Tx,
  userId: string,
): Promise<SecondFactorRow | undefined> {
  const [row] = await tx.query<SecondFactorRow>({
    name: 'lock-second-factor',
    text: `select ${columns} from second_factors where user_id = $1 for update`,
    values: [userId],
  })
  return row
}

/** Stores a secret that waits for its first code, in place of another unconfirmed one. Returns false when one is confirmed. */
export async function savePendingFactor(
  tx: Tx,
  factor: { readonly userId: string; readonly sealed: Buffer; readonly createdAt: Date },
): Promise<boolean> {
  const { userId, sealed, createdAt } = factor
  const rows = await tx.query({
    name: 'save-pending-factor',
    text: `insert into second_factors (user_id, sealed, created_at) values ($1, $2, $3)
      on conflict (user_id) do update set sealed = excluded.sealed, created_at = excluded.created_at
        where second_factors.confirmed_at is null
      returning user_id`,
    values: [userId, sealed, createdAt],
  })
  return rows.length === 1
}

/** Describes a second factor that its first code has confirmed. */
export interface ConfirmedFactor {
  readonly userId: string
  readonly confirmedAt: Date
  /** The period of the code that turned it on. */
  readonly step: number
  readonly recoveryHashes: readonly Buffer[]
}

/** Marks a second factor as confirmed. */
export async function markFactorConfirmed(tx: Tx, factor: ConfirmedFactor): Promise<void> {
  const { userId, confirmedAt, step, recoveryHashes } = factor
  await tx.query({
    name: 'confirm-second-factor',
    text: `with confirmed as (
        update second_factors set confirmed_at = $2, last_step = $3, failures = 0, failed_at = null where user_id = $1
        returning user_id
      ) insert into recovery_codes (user_id, hash) select user_id, unnest($4::bytea[]) from confirmed`,
    values: [userId, confirmedAt, step, recoveryHashes],
  })
}

/** Records that a code was right. `step` is that of an authenticator's code: codes of it or earlier ones are not accepted again. */
export async function noteRightCode(tx: Tx, userId: string, step: number | null): Promise<void> {
  await tx.query({
    name: 'note-right-code',
    text: `update second_factors set last_step = greatest(last_step, $2::bigint), failures = 0, failed_at = null
      where user_id = $1`,
    values: [userId, step],
  })
}

export async function noteWrongCode(tx: Tx, userId: string, failedAt: Date): Promise<void> {
  await tx.query({
    name: 'note-wrong-code',
    text: 'update second_factors set failures = failures + 1, failed_at = $2 where user_id = $1',
    values: [userId, failedAt],
  })
}

/** Deletes a recovery code, which works once. Returns whether it was there. */
export async function deleteRecoveryCode(tx: Tx, userId: string, hash: Buffer): Promise<boolean> {
  const rows = await tx.query({
    name: 'delete-recovery-code',
    text: 'delete from recovery_codes where user_id = $1 and hash = $2 returning 1',
    values: [userId, hash],
  })
  return rows.length === 1
}

/** Turns a second factor off, with its recovery codes. Returns whether one was on. */
export async function deleteConfirmedFactor(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'delete-second-factor',
    text: 'delete from second_factors where user_id = $1 and confirmed_at is not null returning 1',
    values: [userId],
  })
  return rows.length === 1
}

/** Describes whether a person has a second factor, as they are shown it. */
export interface SecondFactorState {
  readonly on: boolean
  readonly recoveryCodesLeft: number
}

/** Reads whether a person has a second factor. */
export async function readSecondFactorState(tx: Tx, userId: string): Promise<SecondFactorState> {
  const [row] = await tx.query<SecondFactorState>({
    name: 'read-second-factor-state',
    text: `select exists (select from second_factors where user_id = $1 and confirmed_at is not null) as on,
      (select count(*) from recovery_codes where user_id = $1) as "recoveryCodesLeft"`,
    values: [userId],
  })
  return row ?? { on: false, recoveryCodesLeft: 0 }
}

/** Returns whether a person signs in with a password and a second factor. */
export async function hasPasswordAndFactor(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'has-password-and-factor',
    text: `select 1 from second_factors f join users u on u.id = f.user_id
      where f.user_id = $1 and f.confirmed_at is not null and u.password_hash is not null`,
    values: [userId],
  })
  return rows.length > 0
}
