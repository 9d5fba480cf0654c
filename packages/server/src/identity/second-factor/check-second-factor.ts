import type { Store, Tx } from '../../store/store.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import type { ServerKeys } from '../../vault/server-keys.ts'
import {
  deleteRecoveryCode,
  findSecondFactor,
  lockSecondFactor,
  noteRightCode,
  noteWrongCode,
  type SecondFactorRow,
} from './rows.ts'
import { codeWaitMs, readCode, sealAddress } from './second-factor.ts'
import { findTotpStep } from './totp.ts'

export interface SecondFactorDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly serverKeys: ServerKeys
  readonly now: () => Date
}

/** Describes the result of checking a code. */
export type FactorCheck =
  /** The person has none. */
  | { readonly outcome: 'none' }
  | { readonly outcome: 'passed'; readonly by: 'code' | 'recovery_code' }
  | { readonly outcome: 'required' }
  | { readonly outcome: 'wrong' }
  /** There were many wrong ones: this one was not looked at. */
  | { readonly outcome: 'wait'; readonly waitMs: number }

/** Describes a code with the person it is checked for. */
export interface SubmittedCode {
  readonly userId: string
  readonly code: string | undefined
  /** From `openSealerFor`. */
  readonly sealer: Sealer | undefined
  readonly now: Date
}

/**
 * Returns what opens the secret of a person's authenticator, or `undefined` where no secret is needed. Asked for before the
 * transaction that takes the code: requests see no key of the server.
 *
 * @throws {Problem} `sealed`
 */
export async function openSealerFor(
  { store, serverKeys }: Omit<SecondFactorDeps, 'now'>,
  userId: string,
  code: string | undefined,
): Promise<Sealer | undefined> {
  if (code === undefined || readCode(code)?.kind !== 'totp') return undefined
  const factor = await store.transaction({ orgId: null, userId }, (tx) =>
    findSecondFactor(tx, userId),
  )
  if (factor === undefined || factor.confirmedAt === null) return undefined
  return store.maintenance((tx) => serverKeys.getSealer(tx))
}

/**
 * Checks a code of the person's second factor. A code works once, on all nodes together. Commit the transaction whatever it
 * returns: it counts wrong codes.
 */
export async function checkSecondFactor(tx: Tx, submitted: SubmittedCode): Promise<FactorCheck> {
  const { userId, code, now } = submitted
  const factor = await lockSecondFactor(tx, userId)
  if (factor === undefined || factor.confirmedAt === null) return { outcome: 'none' }
  if (code === undefined) return { outcome: 'required' }
  const read = readCode(code)
  if (read?.kind === 'recovery') {
    // Recovery codes are too long to be guessed, so that no try of one has to wait.
    if (!(await deleteRecoveryCode(tx, userId, read.hash))) return noteWrong(tx, submitted)
    await noteRightCode(tx, userId, null)
    return { outcome: 'passed', by: 'recovery_code' }
  }
  const waitMs = waitOf(factor, now)
  if (waitMs > 0) return { outcome: 'wait', waitMs }
  const step = read && findStep(factor, read.digits, submitted)
  if (step === undefined || step <= factor.lastStep) return noteWrong(tx, submitted)
  await noteRightCode(tx, userId, step)
  return { outcome: 'passed', by: 'code' }
}

async function noteWrong(tx: Tx, { userId, now }: SubmittedCode): Promise<FactorCheck> {
  await noteWrongCode(tx, userId, now)
  return { outcome: 'wrong' }
}

function waitOf({ failures, failedAt }: SecondFactorRow, now: Date): number {
  return failedAt === null ? 0 : failedAt.getTime() + codeWaitMs(failures) - now.getTime()
}

function findStep(
  { sealed }: SecondFactorRow,
  digits: string,
  { userId, sealer, now }: SubmittedCode,
): number | undefined {
  // Without a sealer the factor was turned on since: the code is of another one, or of none.
  if (sealer === undefined) return undefined
  return findTotpStep(sealer.open(sealAddress(userId), sealed), digits, now)
}
