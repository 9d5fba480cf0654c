import { secondFactorEndpoints as endpoints } from '@signalbox/contract/rest'
import type { Router } from '../../http/router.ts'
import { toCaller } from '../caller.ts'
import { renderSessionCookie } from '../sessions/session.ts'
import { beginSecondFactor, type BeginSecondFactorDeps } from './begin-second-factor.ts'
import { confirmSecondFactor } from './confirm-second-factor.ts'
import { removeSecondFactor } from './remove-second-factor.ts'

/** Mounts `/me/second-factor`. */
export function mountSecondFactor(router: Router, deps: BeginSecondFactorDeps): void {
  router
    .add(endpoints.beginSecondFactor, {
      handle: (request) => beginSecondFactor(deps, { caller: toCaller(request) }),
      present: ({ secret, uri, expiresAt }) => ({
        secret,
        uri,
        expiresAt: expiresAt.toISOString(),
      }),
      presentReplay: ({ expiresAt }) => ({ expiresAt: expiresAt.toISOString() }),
    })
    .add(endpoints.confirmSecondFactor, {
      handle: (request) =>
        confirmSecondFactor(deps, { code: request.body.code, caller: toCaller(request) }),
      present: ({ recoveryCodes }) => ({ recoveryCodes: [...recoveryCodes] }),
      presentReplay: () => ({}),
      headers: ({ session }) => ({
        'Set-Cookie': renderSessionCookie(session.token, session.expiresAt),
      }),
    })
    .add(endpoints.removeSecondFactor, {
      handle: (request) => removeSecondFactor(deps, { caller: toCaller(request) }),
    })
}
