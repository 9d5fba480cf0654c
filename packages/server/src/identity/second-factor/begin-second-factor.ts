import { Problem } from '@signalbox/contract'
import { serverChain } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { Caller } from '../caller.ts'
import { requireSession } from '../sessions/require-session.ts'
import type { SecondFactorDeps } from './check-second-factor.ts'
import { savePendingFactor } from './rows.ts'
import { pendingMs, sealAddress } from './second-factor.ts'
import { describeTotp, newTotpSecret, type TotpDescription } from './totp.ts'

export interface BeginSecondFactorDeps extends SecondFactorDeps {
  /** Returns the address of this server as browsers see it: authenticators list several. */
  readonly publicUrl: () => string
}

/** Describes a secret at the one moment when it is shown. */
export interface BegunSecondFactor extends TotpDescription {
  readonly expiresAt: Date
}

/**
 * Creates a secret for an authenticator, in place of an unconfirmed one. No code is required until the first one confirms it.
 *
 * @throws {Problem} `conflict` when a second factor is on; `session_required`, `sealed`
 */
export async function beginSecondFactor(
  { store, serverKeys, publicUrl, now }: BeginSecondFactorDeps,
  { caller }: { readonly caller: Caller },
): Promise<BegunSecondFactor> {
  const actor = requireSession(caller.actor)
  const { userId, email: account } = actor
  const sealer = await store.maintenance((tx) => serverKeys.getSealer(tx))
  const createdAt = now()
  const scope = { ...caller.scope, orgId: serverChain }
  return store.transaction(scope, async (tx) => {
    const secret = newTotpSecret()
    const sealed = sealer.seal(sealAddress(userId), secret)
    if (!(await savePendingFactor(tx, { userId, sealed, createdAt }))) throw alreadyOn()
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: 'second_factor.begun',
      target: { type: 'user', id: userId, name: actor.name },
      request: caller.request,
    })
    const issuer = `Signalbox (${new URL(publicUrl()).host})`
    const expiresAt = new Date(createdAt.getTime() + pendingMs)
    return { ...describeTotp(secret, { issuer, account }), expiresAt }
  })
}

function alreadyOn(): Problem {
  const detail = 'A second factor is already on. To change the authenticator, turn it off first.'
  return new Problem('conflict', detail)
}
