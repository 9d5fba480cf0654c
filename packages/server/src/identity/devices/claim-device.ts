import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Caller } from '../caller.ts'
import { requireSession } from '../sessions/require-session.ts'
import type { SignInDelays } from '../sessions/sign-in-delays.ts'
import type { DeviceAuthorization } from './device-authorization.ts'
import type { DeviceDeps } from './device-deps.ts'
import { claimDeviceRow } from './rows.ts'
import { hashUserCode, readUserCode } from './user-code.ts'

export interface ClaimDevice {
  readonly userCode: string
  readonly caller: Caller
}

export interface ClaimDeps extends DeviceDeps {
  /** Delays guesses of codes ever longer, whatever their network. */
  readonly delays: SignInDelays
}

/**
 * Shows the device that asks to sign in, and claims its code for this person: nobody else who sees the code later, or is sent
 * it, can open it.
 *
 * @throws {Problem} `not_found` for a code that is none, expired, answered, or was claimed by another person; `rate_limited`,
 * `session_required`, `role_forbidden`
 */
export async function claimDevice(
  { store, signInKey, delays, now }: ClaimDeps,
  { userCode, caller }: ClaimDevice,
): Promise<DeviceAuthorization & { readonly userCode: string }> {
  const { userId } = requireSession(caller.actor)
  const attempt = { account: userId, network: 'anywhere' }
  const waitMs = delays.waitMs(attempt)
  if (waitMs > 0) throw tooManyGuesses(waitMs)
  const code = readUserCode(userCode)
  const claimed =
    code === undefined
      ? undefined
      : await store.transaction(caller.scope, (tx) =>
          claimDeviceRow(tx, { userCodeHash: hashUserCode(signInKey, code), userId, now: now() }),
        )
  if (claimed === undefined || code === undefined) {
    delays.recordFailure(attempt)
    throw notFound()
  }
  delays.recordSuccess(attempt)
  return { ...claimed, userCode: code }
}

function tooManyGuesses(waitMs: number): Problem {
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  const detail = `There were too many wrong codes. Wait ${retryAfterSeconds} s, and compare the code with the device.`
  return new Problem('rate_limited', detail, { retryAfterSeconds })
}
