import { limits, Problem, type AgentScope } from '@signalbox/contract'
import { toAuthor } from '../../../audit/author.ts'
import { recordAuditEvent } from '../../../audit/record-event.ts'
import { newId } from '../../../crypto/ids.ts'
import { newToken } from '../../../crypto/tokens.ts'
import type { Store } from '../../../store/store.ts'
import type { Caller } from '../../caller.ts'
import { holdMembers } from '../hold-members.ts'
import { requireSession } from '../../require-session.ts'
import { countAgentTokens, insertAgentToken, type AgentToken } from './rows.ts'

export interface CreateAgentToken {
  readonly orgId: string
  readonly name: string
  readonly scope: AgentScope
  /** ISO 8601. Left out: it ends after seven days. */
  readonly expiresAt?: string | undefined
  readonly caller: Caller
}

/** Describes an agent token at the one moment when it is known. */
export interface AgentTokenWithSecret extends AgentToken {
  readonly secret: string
}

const dayMs = 86_400_000
const defaultDays = 7

/**
 * Creates a token with which an assistant acts for the member. Only the result holds it. A token makes no tokens: the finder of
 * one would keep the access after it is ended.
 *
 * @throws {Problem} `validation_failed`, `quota_exceeded`, `session_required` for a personal access token, `role_forbidden`
 * for the bootstrap token
 */
export async function createAgentToken(
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
  { orgId, name, scope, expiresAt: requestedEnd, caller }: CreateAgentToken,
): Promise<AgentTokenWithSecret> {
  const actor = requireSession(caller.actor)
  const createdAt = now()
  const expiresAt = toEnd(requestedEnd, createdAt)
  const id = newId('key', createdAt)
  const { userId, name: userName } = actor
  return store.transaction(caller.scope, async (tx) => {
    // Holds the members, so that tokens that are made at once are counted one after the other.
    await holdMembers(tx, orgId, actor)
    const count = await countAgentTokens(tx, { orgId, userId, now: createdAt })
    if (count >= limits.agentTokensPerMember) throw tooManyAgentTokens()
    const { token, handle, hash } = newToken('agt')
    const stored = { id, name, scope, userId, handle, createdAt, expiresAt }
    await insertAgentToken(tx, { ...stored, orgId, hash })
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(actor),
      action: 'agent_token.created',
      target: { type: 'agent_token', id, name },
      detail: { scope, expiresAt: expiresAt.toISOString() },
      request: caller.request,
    })
    return { ...stored, userName, client: null, clientId: null, lastUsedAt: null, secret: token }
  })
}

function toEnd(text: string | undefined, now: Date): Date {
  if (text === undefined) return new Date(now.getTime() + defaultDays * dayMs)
  const moment = new Date(text)
  const latest = new Date(now.getTime() + limits.agentTokenDays * dayMs)
  if (moment > now && moment <= latest) return moment
  const detail =
    moment > now
      ? `An agent token works for ${limits.agentTokenDays} days at most. Use an earlier time.`
      : 'This time is in the past. Use a later one.'
  throw new Problem('validation_failed', `/expiresAt: ${detail}`, {
    errors: [{ pointer: '/expiresAt', code: 'validation_failed', detail }],
  })
}

/** Returns the problem of a member who has as many agent tokens as one may have. */
export function tooManyAgentTokens(): Problem {
  const detail = `A member has at most ${limits.agentTokensPerMember} agent tokens. End one that you don’t use.`
  return new Problem('quota_exceeded', detail)
}
