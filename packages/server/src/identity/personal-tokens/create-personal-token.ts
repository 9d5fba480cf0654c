import { limits, Problem } from '@signalbox/contract'
import { serverChain } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { newId } from '../../crypto/ids.ts'
import { newToken } from '../../crypto/tokens.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { requireSession } from '../require-session.ts'
import { countPersonalTokens, insertPersonalToken, type PersonalToken } from './rows.ts'

export interface CreatePersonalToken {
  readonly name: string
  /** Says whether the token may open doors: create keys, invite, and what else goes on after it. Default: it may not. */
  readonly manages?: boolean | undefined
  /** ISO 8601. Left out: it ends after 90 days. `null`: it works until it is revoked. */
  readonly expiresAt?: string | null | undefined
  readonly caller: Caller
}

/** Describes a personal access token at the one moment when it is known. */
export interface PersonalTokenWithSecret extends PersonalToken {
  readonly secret: string
}

const lifetimeDays = 90

/** Returns the end of a token that is made now and names none: a forgotten token does not stay good for ever. */
export function defaultTokenEnd(now: Date): Date {
  return new Date(now.getTime() + lifetimeDays * 86_400_000)
}

/**
 * Creates a token that may do what the person may. Only the result holds it. A token makes no tokens: the finder of one
 * would keep the account after it is revoked.
 *
 * @throws {Problem} `validation_failed`, `quota_exceeded`, `session_required` for a personal access token, `role_forbidden`
 * for the bootstrap token
 */
export async function createPersonalToken(
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
  { name, manages = false, expiresAt: requestedEnd, caller }: CreatePersonalToken,
): Promise<PersonalTokenWithSecret> {
  const { scope, request } = caller
  const actor = requireSession(caller.actor)
  const createdAt = now()
  const expiresAt = requireFuture(requestedEnd, createdAt)
  const id = newId('key', createdAt)
  return store.transaction({ ...scope, orgId: serverChain }, async (tx) => {
    const { userId } = actor
    if ((await countPersonalTokens(tx, userId)) >= limits.tokensPerUser) throw tooManyTokens()
    const { token, handle, hash } = newToken('pat')
    const row = { id, name, handle, manages, createdAt, expiresAt }
    await insertPersonalToken(tx, { ...row, userId, hash })
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(actor),
      action: 'token.created',
      target: { type: 'personal_access_token', id, name },
      detail: { manages },
      request,
    })
    return { ...row, lastUsedAt: null, secret: token }
  })
}

function requireFuture(text: string | null | undefined, now: Date): Date | null {
  if (text === undefined) return defaultTokenEnd(now)
  if (text === null) return null
  const moment = new Date(text)
  if (moment > now) return moment
  const detail = 'This time is in the past. Use a later one.'
  throw new Problem('validation_failed', `/expiresAt: ${detail}`, {
    errors: [{ pointer: '/expiresAt', code: 'validation_failed', detail }],
  })
}

/** Returns the problem of a person who has as many tokens as allowed. */
export function tooManyTokens(): Problem {
  const detail = `A person has at most ${limits.tokensPerUser} personal access tokens. Revoke one that you don’t use.`
  return new Problem('quota_exceeded', detail)
}
