import { identityEndpoints as endpoints } from '@signalbox/contract/rest'
import { readCookie } from '../../http/cookies.ts'
import type { Router } from '../../http/router.ts'
import { toAuditRequest, toCaller } from '../caller.ts'
import { confirmSession } from './confirm-session.ts'
import { endedSessionCookie, renderSessionCookie, sessionCookie } from './session.ts'
import { signIn, type SignInDeps } from './sign-in.ts'
import { signOut } from './sign-out.ts'

/** Mounts `/sessions`. */
export function mountSessions(router: Router, deps: SignInDeps): void {
  router
    .add(endpoints.signIn, {
      handle: (request) => signIn(deps, { ...request.body, request: toAuditRequest(request) }),
      present: ({ user, session }) => ({ user, expiresAt: session.expiresAt.toISOString() }),
      headers: ({ session }) => ({
        'Set-Cookie': renderSessionCookie(session.token, session.expiresAt),
      }),
    })
    .add(endpoints.confirmSession, {
      handle: (request) =>
        confirmSession(deps, {
          token: readCookie(request.header('cookie'), sessionCookie),
          password: request.body.password,
          caller: toCaller(request),
        }),
    })
    .add(endpoints.signOut, {
      handle: (request) =>
        signOut(deps, {
          token: readCookie(request.header('cookie'), sessionCookie),
          caller: toCaller(request),
        }),
      headers: () => ({ 'Set-Cookie': endedSessionCookie }),
    })
}
