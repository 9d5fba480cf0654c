import { sessionEndpoints as endpoints } from '@signalbox/contract/rest'
import { readCookie } from '../../http/admission/cookies.ts'
import type { Router } from '../../http/router.ts'
import { toCaller } from '../caller.ts'
import { toAuditRequest } from '../../audit/caller.ts'
import { confirmSession } from './confirm-session.ts'
import { endOtherSessions, endSession } from './end-sessions.ts'
import { listSessions, presentSession } from './list-sessions.ts'
import type { ProofDeps } from './authenticate-by-password.ts'
import { endedSessionCookie, renderSessionCookie, sessionCookie } from './session.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'

export function mountSessions(router: Router, deps: ProofDeps): void {
  router
    .add(endpoints.signIn, {
      handle: (request) =>
        signIn(deps, {
          ...request.body,
          formerToken: readCookie(request.header('cookie'), sessionCookie),
          request: toAuditRequest(request),
        }),
      present: ({ user, session }) => ({ user, expiresAt: session.expiresAt.toISOString() }),
      headers: ({ session }) => ({
        'Set-Cookie': renderSessionCookie(session.token, session.expiresAt),
      }),
    })
    .add(endpoints.confirmSession, {
      handle: (request) =>
        confirmSession(deps, {
          token: readCookie(request.header('cookie'), sessionCookie),
          ...request.body,
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
  mountOwnSessions(router, deps)
}

function mountOwnSessions(router: Router, deps: ProofDeps): void {
  router
    .add(endpoints.listSessions, {
      handle: ({ actor }) => listSessions(deps, actor),
      present: (sessions, { actor }) => ({
        items: sessions.map((each) => presentSession(each, actor.credentialId)),
      }),
    })
    .add(endpoints.endSession, {
      handle: (request) =>
        endSession(deps, { sessionId: request.params.session_id, caller: toCaller(request) }),
      headers: ({ wasCurrent }): Record<string, string> =>
        wasCurrent ? { 'Set-Cookie': endedSessionCookie } : {},
    })
    .add(endpoints.endOtherSessions, {
      handle: (request) => endOtherSessions(deps, { caller: toCaller(request) }),
    })
}
