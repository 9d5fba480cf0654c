import { Problem } from '@signalbox/contract'
import { serverChain } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { Caller } from '../caller.ts'
import { requireSession } from '../sessions/require-session.ts'
import type { OpenedSession } from '../sessions/open-session.ts'
import { replaceSessions } from '../sessions/end-sessions.ts'
import { holdPasswordHash } from '../user-rows.ts'
import type { SecondFactorDeps } from './check-second-factor.ts'
import { lockSecondFactor, markFactorConfirmed, type SecondFactorRow } from './rows.ts'
import { newRecoveryCodes, pendingMs, readCode, sealAddress } from './second-factor.ts'
import { findTotpStep } from './totp.ts'

/** Describes the recovery codes, which are shown once. */
export interface ConfirmedSecondFactor {
  readonly recoveryCodes: readonly string[]
  /** In place of the one that asked, and of all others. */
  readonly session: OpenedSession
}

/**
 * Turns the second factor on, which the given code shows that the authenticator has. Sessions that were begun without it
 * end.
 *
 * @throws {Problem} `conflict` when none waits; `validation_failed` for a wrong code; `session_required`, `sealed`
 */
export async function confirmSecondFactor(
  { store, serverKeys, now }: SecondFactorDeps,
  { code, caller }: { readonly code: string; readonly caller: Caller },
): Promise<ConfirmedSecondFactor> {
  const actor = requireSession(caller.actor)
  const { userId, name } = actor
  const { request } = caller
  const sealer = await store.maintenance((tx) => serverKeys.getSealer(tx))
  return store.transaction({ ...caller.scope, orgId: serverChain }, async (tx) => {
    const confirmedAt = now()
    // A sign-in with the password alone at this moment waits for this lock, and then needs a code.
    await holdPasswordHash(tx, userId)
    const { sealed } = requirePending(await lockSecondFactor(tx, userId), confirmedAt)
    const read = readCode(code)
    const digits = read?.kind === 'totp' ? read.digits : ''
    const step = findTotpStep(sealer.open(sealAddress(userId), sealed), digits, confirmedAt)
    if (step === undefined) throw wrongCode()
    const codes = newRecoveryCodes()
    const recoveryHashes = codes.map(({ hash }) => hash)
    await markFactorConfirmed(tx, { userId, confirmedAt, step, recoveryHashes })
    const { session, ended } = await replaceSessions(tx, { userId, request, now: confirmedAt })
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: 'second_factor.enabled',
      target: { type: 'user', id: userId, name },
      detail: { sessionsEnded: ended },
      request,
    })
    return { recoveryCodes: codes.map(({ text }) => text), session }
  })
}

function requirePending(factor: SecondFactorRow | undefined, now: Date): SecondFactorRow {
  const isPending =
    factor !== undefined &&
    factor.confirmedAt === null &&
    now.getTime() - factor.createdAt.getTime() <= pendingMs
  if (isPending) return factor
  const detail = 'There is no secret to confirm. Get one, and enter a code within ten minutes.'
  throw new Problem('conflict', detail)
}

function wrongCode(): Problem {
  const detail =
    'This is not the current code. Check the clock of the authenticator, and wait for the next code.'
  return new Problem('validation_failed', `/code: ${detail}`, {
    errors: [{ pointer: '/code', code: 'validation_failed', detail }],
  })
}
