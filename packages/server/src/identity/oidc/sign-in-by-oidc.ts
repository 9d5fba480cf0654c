import { cutText } from '@signalbox/contract'
import { emailAddress, type OidcRejection } from '@signalbox/contract/rest'
import { serverChain, type AuditRequest } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { newId } from '../../crypto/ids.ts'
import { refreshOidcGroups } from '../members/groups/refresh-oidc-groups.ts'
import { endFormerSession, signOutFormerPerson } from '../sessions/end-former-session.ts'
import { openSession, type OpenedSession } from '../sessions/open-session.ts'
import {
  findUserByEmail,
  holdPasswordHash,
  insertUserIfAbsent,
  isUnclaimed,
  type UserRow,
} from '../user-rows.ts'
import type { OidcDeps } from './oidc-deps.ts'
import { OidcError } from './oidc-error.ts'
import type { OidcPerson, OidcProfile } from './oidc-provider.ts'
import { findLinkedPerson, hasOpenInvitation, insertLink, type LinkedPerson } from './rows.ts'

type SignInByOidcDeps = Pick<OidcDeps, 'store' | 'now'>

export interface SignInByOidc {
  readonly identified: OidcPerson
  /** The session that the browser has until now, if any. */
  readonly formerToken: string | undefined
  readonly request: AuditRequest
}

/**
 * Signs in the person that the provider identified. Only issuer and subject find an existing account, never the e-mail
 * address. A verified address creates an account for a person who was invited.
 */
export async function signInByOidc(
  deps: SignInByOidcDeps,
  { identified, formerToken, request }: SignInByOidc,
): Promise<{ readonly session: OpenedSession } | OidcRejection> {
  const { store, now } = deps
  const known = await store.transaction({ orgId: null }, (tx) => findLinkedPerson(tx, identified))
  const person = known ?? (await provisionUser(deps, identified))
  if (typeof person === 'string') return person
  const { userId, name } = person
  await refreshOidcGroups(deps, { userId, name, readGroups: () => identified.readGroups() })
  const session = await store.transaction({ orgId: serverChain, userId }, async (tx) => {
    await endFormerSession(tx, formerToken)
    const newSession = await openSession(tx, { userId, request, now: now() })
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: { type: 'user', id: userId, name },
      action: 'auth.login',
      target: { type: 'user', id: userId, name },
      detail: { oidc: true, ...(known === undefined && { firstTime: true }) },
      request,
    })
    return newSession
  })
  await signOutFormerPerson(deps, { token: formerToken, userId, request })
  return { session }
}

/** Creates an account for a new person who was invited to the address that the provider has verified. */
async function provisionUser(
  { store, now }: SignInByOidcDeps,
  identified: OidcPerson,
): Promise<LinkedPerson | OidcRejection> {
  const profile = await identified.readProfile()
  const email = profile.emailVerified ? emailAddress.safeParse(profile.email).data : undefined
  if (email === undefined) return 'email_unverified'
  const createdAt = now()
  const isKnown = await store.transaction({ orgId: null }, (tx) => findUserByEmail(tx, email))
  if (isKnown !== undefined) return claim({ store, now }, identified, isKnown)
  // Only its organization sees an invitation, and which one that is is not known yet: so this runs as maintenance.
  const isInvited = await store.maintenance((tx) => hasOpenInvitation(tx, email, createdAt))
  if (!isInvited) return 'no_account'
  const userId = newId('usr', createdAt)
  return store.transaction({ orgId: null, userId }, async (tx) => {
    const name = nameOf(profile, email)
    const user = { id: userId, email, name, passwordHash: null }
    if (!(await insertUserIfAbsent(tx, user, createdAt))) return 'link_required'
    const { issuer, subject } = identified
    // The subject was linked to another address at the same moment. Without a link nobody could sign in to this account.
    if (!(await insertLink(tx, { issuer, subject, userId, email, createdAt }))) {
      throw new OidcError('provider_response', 'Two sign-ins with its subject arrived together')
    }
    return { userId, name, email }
  })
}

/**
 * Links an account that a directory added and nobody can sign in to yet. Any other one is linked by its person, who signs in first:
 * its address was never verified.
 */
function claim(
  { store, now }: SignInByOidcDeps,
  { issuer, subject }: OidcPerson,
  { id: userId, name, email }: UserRow,
): Promise<LinkedPerson | OidcRejection> {
  return store.transaction({ orgId: null, userId }, async (tx) => {
    if ((await holdPasswordHash(tx, userId)) !== null) return 'link_required'
    if (!(await isUnclaimed(tx, userId))) return 'link_required'
    const isLinked = await insertLink(tx, { issuer, subject, userId, email, createdAt: now() })
    return isLinked ? { userId, name, email } : 'link_required'
  })
}

/** Returns the name of a new account: what the provider says, or the address without its domain. */
export function nameOf({ name }: Pick<OidcProfile, 'name'>, email: string): string {
  const cleanName = (name ?? '').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()
  return cutText(cleanName === '' ? (email.split('@')[0] ?? email) : cleanName, 100)
}
