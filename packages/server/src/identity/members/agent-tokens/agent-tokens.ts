import { limits, Problem, type AgentScope, type Role } from '@signalbox/contract'
import type { AuditEvent } from '../../../audit/audit-event.ts'
import { toAuthor } from '../../../audit/author.ts'
import { recordAuditEvent } from '../../../audit/record-event.ts'
import { newId } from '../../../crypto/ids.ts'
import { newToken, type ReadToken } from '../../../crypto/tokens.ts'
import type { AgentActor, UserActor } from '../../../http/admission/actor.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import type { Store, Tx } from '../../../store/store.ts'
import type { Caller } from '../../caller.ts'
import { assistantForbidden } from '../../organizations/policies/apply-policies.ts'
import { fewerDays, permitAssistant } from '../../organizations/policies/policies.ts'
import { findPolicies } from '../../organizations/policies/rows.ts'
import { requireSession } from '../../sessions/require-session.ts'
import { mayDo } from '../../roles.ts'
import { afterDays, judgeToken, lifeMsOf, requireEnd } from '../../personal-tokens/token-rules.ts'
import type { TokenFailure } from '../../verify-token.ts'
import { holdMembers } from '../hold-members.ts'
import {
  countAgentTokens,
  findAgentTokenOwner,
  insertAgentToken,
  markAgentTokenEnded,
  type AgentToken,
  type NewAgentToken,
} from './rows.ts'

interface TokenDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly now: () => Date
}

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

/** Names an assistant that has not said its name. */
export const unnamedClient = 'an assistant'

const defaultDays = 7

/**
 * Creates a token with which an assistant acts for the member. Only the result holds it. A token makes no tokens: the finder of
 * one would keep the access after it is ended.
 *
 * @throws {Problem} `validation_failed`, `quota_exceeded`, `assistant_forbidden`, `session_required` for a personal access token,
 * `role_forbidden` for the bootstrap token
 */
export async function createAgentToken(
  { store, now }: TokenDeps,
  { orgId, name, scope, expiresAt: requestedEnd, caller }: CreateAgentToken,
): Promise<AgentTokenWithSecret> {
  const actor = requireSession(caller.actor)
  const createdAt = now()
  const { userId, name: userName } = actor
  return store.transaction(caller.scope, async (tx) => {
    await requireQuota(tx, { orgId, actor, now: createdAt })
    const most = await requireScope(tx, { orgId, scope, clientHost: undefined })
    const expiresAt =
      requestedEnd === undefined
        ? afterDays(createdAt, Math.min(defaultDays, most))
        : requireAgentEnd(requestedEnd, createdAt, most)
    const { token: secret, handle, hash } = newToken('agt')
    const id = newId('key', createdAt)
    const row = { id, name, scope, userId, handle, createdAt, expiresAt, clientId: null }
    const event = { actor: toAuthor(actor), request: caller.request }
    await addAgentToken(tx, { ...row, orgId, hash }, event)
    return { ...row, userName, client: null, lastUsedAt: null, secret }
  })
}

function requireAgentEnd(text: string, now: Date, days: number): Date {
  return requireEnd(text, now, {
    at: afterDays(now, days),
    detail: `An agent token works for ${days} days at most. Use an earlier time.`,
  })
}

export interface RequireScope {
  readonly orgId: string
  readonly scope: AgentScope
  /** Names the host that describes the assistant; `undefined`: its member makes the token by hand. */
  readonly clientHost: string | undefined
}

/**
 * Requires the policies of an organization to let an assistant in with a scope. Returns the most days that its token may work.
 *
 * @throws {Problem} `assistant_forbidden`, `not_found`
 */
export async function requireScope(
  tx: Tx,
  { orgId, scope, clientHost }: RequireScope,
): Promise<number> {
  const policies = await findPolicies(tx, orgId)
  if (policies === undefined) throw notFound()
  const most = permitAssistant(policies, clientHost)
  const who = clientHost ?? 'a token that you make by hand'
  if (most === undefined) throw assistantForbidden(`This organization does not let ${who} in.`)
  if (scope === 'write' && most === 'read') {
    throw assistantForbidden(`This organization lets ${who} read and propose only.`)
  }
  return fewerDays(limits.agentTokenDays, policies.tokenDays)
}

/**
 * Holds the members, so that tokens that are made at once are counted one after the other.
 *
 * @throws {Problem} `quota_exceeded` for a member who has as many as one may have.
 */
export async function requireQuota(
  tx: Tx,
  { orgId, actor, now }: { readonly orgId: string; readonly actor: UserActor; readonly now: Date },
): Promise<void> {
  await holdMembers(tx, orgId, actor)
  const count = await countAgentTokens(tx, { orgId, userId: actor.userId, now })
  if (count < limits.agentTokensPerMember) return
  const detail = `A member has at most ${limits.agentTokensPerMember} agent tokens. End one that you don’t use.`
  throw new Problem('quota_exceeded', detail)
}

/** Stores a token of a member, with its event. */
export async function addAgentToken(
  tx: Tx,
  token: NewAgentToken,
  event: Pick<AuditEvent, 'actor' | 'request'>,
): Promise<void> {
  const { orgId, id, name, scope, expiresAt, clientId } = token
  await insertAgentToken(tx, token)
  recordAuditEvent(tx, {
    orgId,
    action: 'agent_token.created',
    target: { type: 'agent_token', id, name },
    detail: { scope, expiresAt: expiresAt.toISOString(), ...(clientId !== null && { clientId }) },
    ...event,
  })
}

/** Returns the member whose agent tokens an actor sees and ends; `null` for admins: those of every member. */
export function membersShownTo(actor: Caller['actor'], role: Role | undefined): string | null {
  return actor.type === 'bootstrap' || mayDo(role, 'admin') ? null : actor.userId
}

export interface EndAgentToken {
  readonly orgId: string
  readonly tokenId: string
  readonly caller: Caller
  readonly role: Role | undefined
}

/**
 * Ends a token, on every node at once: each request looks it up in the database. An admin ends those of any member.
 *
 * @throws {Problem} `not_found` for a token that has ended, is absent or someone else's.
 */
export async function endAgentToken(
  { store, now }: TokenDeps,
  { orgId, tokenId, caller, role }: EndAgentToken,
): Promise<void> {
  const userId = membersShownTo(caller.actor, role)
  await store.transaction(caller.scope, async (tx) => {
    const event = { actor: toAuthor(caller.actor), request: caller.request }
    const isEnded = await endToken(tx, { orgId, userId, id: tokenId, endedAt: now() }, event)
    if (!isEnded) throw notFound()
  })
}

/** Ends a token, of one member or with `userId: null` of any, with its event. Returns whether it was there and had not ended. */
export async function endToken(
  tx: Tx,
  token: Parameters<typeof markAgentTokenEnded>[1],
  event: Pick<AuditEvent, 'actor' | 'request' | 'detail'> & {
    /** Default: `agent_token.ended`. */
    readonly action?: AuditEvent['action']
  },
): Promise<boolean> {
  const ended = await markAgentTokenEnded(tx, token)
  if (ended === undefined) return false
  recordAuditEvent(tx, {
    orgId: token.orgId,
    action: 'agent_token.ended',
    target: { type: 'agent_token', id: token.id, name: ended.name },
    ...event,
    detail: { userId: ended.userId, ...event.detail },
  })
  return true
}

/** Finds the assistant of a token. Its checksum was right, so it costs one look-up. */
export async function findAgentActor(
  { store, now }: { readonly store: Pick<Store, 'maintenance'>; readonly now: () => Date },
  { handle, hash }: ReadToken,
): Promise<AgentActor | TokenFailure> {
  const owner = await store.maintenance((tx) => findAgentTokenOwner(tx, { handle, hash }))
  const failure = judgeToken(owner, hash, now())
  if (owner === undefined || failure !== undefined) return failure ?? 'invalid'
  const { id: credentialId, orgId, userId, userName: name, scope, clientId } = owner
  const clientHost = clientId === null ? undefined : new URL(clientId).host
  return {
    type: 'agent',
    orgId,
    userId,
    name,
    scope,
    client: clientHost ?? unnamedClient,
    ...(clientHost !== undefined && { clientHost }),
    credentialId,
    lifeMs: lifeMsOf({ createdAt: owner.createdAt, expiresAt: owner.endsAt }),
  }
}
