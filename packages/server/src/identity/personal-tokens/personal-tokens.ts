import { limits, Problem } from '@signalbox/contract'
import { serverChain, type AuditEvent } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { newId } from '../../crypto/ids.ts'
import { newToken, type ReadToken } from '../../crypto/tokens.ts'
import type { UserActor } from '../../http/admission/actor.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { fewerDays } from '../organizations/policies/policies.ts'
import { findFewestTokenDays } from '../organizations/policies/rows.ts'
import { requireSession } from '../sessions/require-session.ts'
import { afterDays, judgeToken, lifeMsOf, requireEnd } from './token-rules.ts'
import type { TokenFailure } from '../verify-token.ts'
import { requirePerson } from './require-person.ts'
import {
  countPersonalTokens,
  findPersonalTokenOwner,
  insertPersonalToken,
  markPersonalTokenRevoked,
  type PersonalToken,
} from './rows.ts'

interface TokenDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly now: () => Date
}

export interface CreatePersonalToken {
  readonly name: string
  /** Says whether the token may manage: create keys, invite, and make other things that outlive it. Default: it may not. */
  readonly manages?: boolean | undefined
  /** ISO 8601. Left out: it ends after 90 days, or sooner where an organization of the person requires it. `null`: it works until it is revoked. */
  readonly expiresAt?: string | null | undefined
  readonly caller: Caller
}

/** Describes a personal access token at the one moment when it is known. */
export interface PersonalTokenWithSecret extends PersonalToken {
  readonly secret: string
}

/** Says how long a token works unless somebody wants otherwise: a forgotten one does not stay good for ever. */
const lifetimeDays = 90

/**
 * Creates a token that may do what the person may. Only the result holds it. A token makes no tokens: the finder of one
 * would keep the account after it is revoked.
 *
 * @throws {Problem} `validation_failed`, `quota_exceeded`, `session_required` for a personal access token, `role_forbidden`
 * for the bootstrap token
 */
export async function createPersonalToken(
  { store, now }: TokenDeps,
  { name, manages = false, expiresAt: requestedEnd, caller }: CreatePersonalToken,
): Promise<PersonalTokenWithSecret> {
  const { scope, request } = caller
  const actor = requireSession(caller.actor)
  const createdAt = now()
  const expiresAt =
    typeof requestedEnd === 'string' ? requireEnd(requestedEnd, createdAt) : requestedEnd
  return store.transaction({ ...scope, orgId: serverChain }, async (tx) => {
    const { userId } = actor
    if (!(await isBelowQuota(tx, userId))) throw tooManyTokens()
    const event = { actor: toAuthor(actor), detail: { manages }, request }
    return issuePersonalToken(tx, { userId, name, manages, createdAt, expiresAt }, event)
  })
}

/** Returns whether a person may have one more token. Holds the person, so that tokens are not counted twice at once. */
export async function isBelowQuota(tx: Tx, userId: string): Promise<boolean> {
  return (await countPersonalTokens(tx, userId)) < limits.tokensPerUser
}

/** Stores a token for a person, with its event. */
export async function issuePersonalToken(
  tx: Tx,
  of: Pick<PersonalToken, 'name' | 'manages' | 'createdAt'> & {
    readonly userId: string
    /** Left out: it ends after 90 days, or sooner where an organization of the person requires it. */
    readonly expiresAt?: Date | null | undefined
  },
  event: Pick<AuditEvent, 'actor' | 'detail' | 'request'>,
): Promise<PersonalTokenWithSecret> {
  const { userId, name, createdAt } = of
  const expiresAt =
    of.expiresAt === undefined ? await findDefaultEnd(tx, userId, createdAt) : of.expiresAt
  const { token: secret, handle, hash } = newToken('pat')
  const id = newId('key', createdAt)
  const row = { id, name, handle, manages: of.manages, createdAt, expiresAt }
  await insertPersonalToken(tx, { ...row, userId, hash })
  recordAuditEvent(tx, {
    orgId: serverChain,
    action: 'token.created',
    target: { type: 'personal_access_token', id, name },
    ...event,
  })
  return { ...row, lastUsedAt: null, secret }
}

/** Returns the end of a token that names none: every organization of the person accepts it until then. */
async function findDefaultEnd(tx: Tx, userId: string, createdAt: Date): Promise<Date> {
  const days = fewerDays(lifetimeDays, await findFewestTokenDays(tx, userId))
  return afterDays(createdAt, days)
}

/** Returns the problem of a person who has as many tokens as allowed. */
export function tooManyTokens(): Problem {
  const detail = `A person has at most ${limits.tokensPerUser} personal access tokens. Revoke one that you don’t use.`
  return new Problem('quota_exceeded', detail)
}

/**
 * Revokes a token of the caller, on every node at once: each request looks tokens up in the database.
 *
 * @throws {Problem} `not_found` for a token that is revoked, absent or someone else's.
 */
export async function revokePersonalToken(
  { store, now }: TokenDeps,
  { tokenId, caller }: { readonly tokenId: string; readonly caller: Caller },
): Promise<void> {
  const actor = requirePerson(caller.actor)
  await store.transaction({ ...caller.scope, orgId: serverChain }, async (tx) => {
    const revoked = { userId: actor.userId, id: tokenId, revokedAt: now() }
    const name = await markPersonalTokenRevoked(tx, revoked)
    if (name === undefined) throw notFound()
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: 'token.revoked',
      target: { type: 'personal_access_token', id: tokenId, name },
      request: caller.request,
    })
  })
}

/** Finds the person of a token. Its checksum was right, so it costs one look-up. */
export async function findTokenActor(
  { store, now }: TokenDeps,
  { handle, hash }: ReadToken,
): Promise<UserActor | TokenFailure> {
  const owner = await store.transaction({ orgId: null }, (tx) => findPersonalTokenOwner(tx, handle))
  const failure = judgeToken(owner, hash, now())
  if (owner === undefined || failure !== undefined) return failure ?? 'invalid'
  const { id: credentialId, name: credentialName, userId, userName: name, email, manages } = owner
  const lifeMs = lifeMsOf(owner)
  const credential = { via: 'token', credentialId, credentialName, manages, lifeMs } as const
  return { type: 'user', userId, name, email, ...credential }
}
