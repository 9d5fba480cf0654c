import { accountEndpoints as endpoints } from '@signalbox/contract/rest'
import type { Router } from '../../http/router.ts'
import { toCaller } from '../caller.ts'
import type { ProofDeps } from '../sessions/authenticate-by-password.ts'
import { renderSessionCookie } from '../sessions/session.ts'
import { changePassword } from './change-password.ts'
import { renameUser } from './rename-user.ts'

/** Mounts what people change of themselves: `PATCH /me`, `PUT /me/password`. */
export function mountAccount(router: Router, deps: ProofDeps): void {
  router
    .add(endpoints.updateMe, {
      handle: (request) => renameUser(deps, { name: request.body.name, caller: toCaller(request) }),
      present: (user) => user,
    })
    .add(endpoints.changePassword, {
      handle: (request) => changePassword(deps, { ...request.body, caller: toCaller(request) }),
      headers: (session) => ({
        'Set-Cookie': renderSessionCookie(session.token, session.expiresAt),
      }),
    })
}
