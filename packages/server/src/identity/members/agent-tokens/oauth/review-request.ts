import type { Caller } from '../../../caller.ts'
import { requireSession } from '../../../sessions/require-session.ts'
import {
  checkRequest,
  refuseAt,
  type AuthorizationRequest,
  type CheckedRequest,
} from './authorization-request.ts'
import type { AgentOAuthDeps } from './oauth-deps.ts'
import { isLoopback } from './redirect-uri.ts'

/** Describes the input of `reviewRequest` and `refuseRequest`. */
export interface ReviewRequest {
  readonly request: AuthorizationRequest
  readonly caller: Caller
}

type ReviewDeps = Pick<AgentOAuthDeps, 'clients' | 'publicUrl'>

/**
 * Returns what a person is shown before they allow or refuse an assistant, and where the browser goes if they refuse.
 *
 * @throws {Problem} `assistant_unverified`, `session_required`, `role_forbidden`
 */
export async function reviewRequest(
  deps: ReviewDeps,
  { request, caller }: ReviewRequest,
): Promise<CheckedRequest & { readonly refusedAt: string; readonly isLocal: boolean }> {
  requireSession(caller.actor)
  const checked = await checkRequest(deps, request)
  const refusedAt = refuseAt(checked, { state: request.state, publicUrl: deps.publicUrl() })
  return { ...checked, refusedAt, isLocal: isLoopback(checked.redirect) }
}
