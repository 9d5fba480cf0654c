import { serverChain } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Caller } from '../caller.ts'
import { isBelowQuota, tooManyTokens } from '../personal-tokens/personal-tokens.ts'
import { requireSession } from '../sessions/require-session.ts'
import type { DeviceDeps } from './device-deps.ts'
import { decideDeviceRow } from './rows.ts'
import { hashUserCode, readUserCode } from './user-code.ts'

export interface DecideDevice {
  readonly userCode: string
  readonly decision: 'approved' | 'denied'
  /** Says whether the token gets the right to manage. Default: it doesn't. */
  readonly manages?: boolean
  readonly caller: Caller
}

/**
 * Lets a device in, or refuses it. The token is made when the device asks for it, so that it is nowhere until then.
 *
 * @throws {Problem} `not_found` unless this person claimed the code and it is not decided yet; `quota_exceeded`, `session_required`, `role_forbidden`
 */
export async function decideDevice(
  { store, signInKey, now }: DeviceDeps,
  { userCode, decision, manages = false, caller }: DecideDevice,
): Promise<void> {
  const actor = requireSession(caller.actor)
  const { userId } = actor
  const code = readUserCode(userCode)
  if (code === undefined) throw notFound()
  const userCodeHash = hashUserCode(signInKey, code)
  await store.transaction({ ...caller.scope, orgId: serverChain }, async (tx) => {
    const decided = await decideDeviceRow(tx, {
      userCodeHash,
      userId,
      decision,
      manages,
      now: now(),
    })
    if (decided === undefined) throw notFound()
    const isApproved = decision === 'approved'
    if (isApproved && !(await isBelowQuota(tx, userId))) throw tooManyTokens()
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: isApproved ? 'auth.device_approved' : 'auth.device_denied',
      target: { type: 'device', id: null, name: decided.deviceName },
      request: caller.request,
    })
  })
}
