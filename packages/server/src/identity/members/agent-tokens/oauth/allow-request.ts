import { createHash } from 'node:crypto'
import { Problem, type AgentScope } from '@signalbox/contract'
import { newOpaqueToken } from '../../../../crypto/opaque-tokens.ts'
import type { Caller } from '../../../caller.ts'
import { requireSession } from '../../../sessions/require-session.ts'
import { requireQuota, requireScope } from '../agent-tokens.ts'
import { checkRequest, refuseAt, type AuthorizationRequest } from './authorization-request.ts'
import type { AgentOAuthDeps } from './oauth-deps.ts'
import { addAnswer } from './redirect-uri.ts'
import { insertAgentCode } from './rows.ts'

/** Limits how long a code can be exchanged. Assistants do it at once. */
const codeLifetimeMs = 60_000

export interface AllowRequest {
  readonly orgId: string
  readonly request: AuthorizationRequest
  /** Holds what the member allows: what the assistant asks for, or less. */
  readonly scope: AgentScope
  readonly caller: Caller
}

/** Describes where the browser goes with the code, and where without it. */
export interface AllowedRequest {
  readonly redirectTo: string
  /** Tells the assistant to start again. It is the answer to a repeat, which must not store a code. */
  readonly withoutCode: string
}

/**
 * Allows an assistant to act for the member in one organization. The code that it gets is stored as a hash alone, and bound to
 * the assistant, the address and the PKCE challenge.
 *
 * @throws {Problem} `assistant_unverified`, `assistant_forbidden`, `validation_failed`, `quota_exceeded`, `session_required`, `role_forbidden`
 */
export async function allowRequest(
  deps: AgentOAuthDeps,
  { orgId, request, scope, caller }: AllowRequest,
): Promise<AllowedRequest> {
  const actor = requireSession(caller.actor)
  const checked = await checkRequest(deps, request)
  const { client, redirect, challenge, rejection } = checked
  if (rejection !== undefined) throw new Problem('validation_failed', rejection.description)
  if (scope === 'write' && checked.scope !== 'write') {
    throw new Problem('validation_failed', '/scope: The assistant asks to read only.')
  }
  const code = newOpaqueToken()
  const now = deps.now()
  const { userId } = actor
  const publicUrl = deps.publicUrl()
  const again = { error: 'temporarily_unavailable', description: 'Start again.' }
  const { state } = request
  const allowed = {
    redirectTo: addAnswer(redirect, { code: code.token, state, iss: publicUrl }),
    withoutCode: refuseAt({ redirect, rejection: again }, { state, publicUrl }),
  }
  return deps.store.transaction(caller.scope, async (tx) => {
    await requireQuota(tx, { orgId, actor, now })
    await requireScope(tx, { orgId, scope, clientHost: client.host })
    await insertAgentCode(tx, {
      hash: code.hash,
      orgId,
      userId,
      clientId: client.clientId,
      redirectUri: request.redirectUri,
      challenge,
      scope,
      expiresAt: new Date(now.getTime() + codeLifetimeMs),
    })
    return allowed
  })
}

/** Returns the challenge of a PKCE verifier (RFC 7636 §4.2, S256). */
export function toChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
