import { emailAddress, type OidcRejection } from '@signalbox/contract/rest'
import { serverChain, type AuditRequest } from '../../../audit/audit-event.ts'
import { recordAuditEvent } from '../../../audit/record-event.ts'
import { newId } from '../../../crypto/ids.ts'
import { hashToken } from '../../../crypto/tokens.ts'
import { sqlStateOf } from '../../../store/store-problem.ts'
import type { Tx } from '../../../store/store.ts'
import { refreshOidcGroups } from '../../members/groups/refresh-oidc-groups.ts'
import { domainOf } from '../../members/email-domains/email-domain.ts'
import { isDomainVerified } from '../../members/email-domains/rows.ts'
import { findMemberRole } from '../../members/rows.ts'
import { endFormerSession, signOutFormerPerson } from '../../sessions/end-former-session.ts'
import { openSession, type OpenedSession } from '../../sessions/open-session.ts'
import { hasPasswordAndFactor } from '../../second-factor/rows.ts'
import { findUserByEmail, insertUserIfAbsent, isUnclaimed } from '../../user-rows.ts'
import type { OidcDeps } from '../oidc-deps.ts'
import type { OidcPerson } from '../oidc-provider.ts'
import { hasOpenInvitation } from '../rows.ts'
import { nameOf, type SignInByOidc } from '../sign-in-by-oidc.ts'
import {
  findProviderPerson,
  insertProviderIdentity,
  insertProviderSession,
  type ProviderPerson,
  type ProviderSubject,
  type SignInProvider,
} from './rows.ts'

type SignInDeps = Pick<OidcDeps, 'store' | 'now'>

/**
 * Signs in the person that the provider of an organization identified. The address of their account must be of a domain that this
 * organization has verified, at every sign-in: a provider is believed about the people of its own organization and nobody else.
 */
export async function signInByProvider(
  deps: SignInDeps,
  provider: SignInProvider,
  signIn: SignInByOidc,
): Promise<SignedIn | OidcRejection> {
  try {
    return await identifyAndSignIn(deps, provider, signIn)
  } catch (error) {
    // The provider was removed meanwhile: a link or a session that would follow from it is not stored.
    if (sqlStateOf(error) === foreignKeyViolation) return 'not_set_up'
    throw error
  }
}

interface SignedIn {
  readonly session: OpenedSession
}

const foreignKeyViolation = '23503'

async function identifyAndSignIn(
  deps: SignInDeps,
  provider: SignInProvider,
  { identified, formerToken, request }: SignInByOidc,
): Promise<SignedIn | OidcRejection> {
  const { store, now } = deps
  const { orgId, id: providerId } = provider
  const subject = { orgId, providerId, subject: identified.subject }
  const known = await store.transaction({ orgId }, (tx) => findProviderPerson(tx, subject))
  const person = known ?? (await linkPerson(deps, subject, identified))
  if (typeof person === 'string') return person
  const { userId, name } = person
  if (!(await isOfOrganization(deps, orgId, person.email))) return 'domain_unverified'
  if (await keepsOwnSignIn(deps, userId)) return 'second_factor_kept'
  await refreshOidcGroups(deps, { userId, name, orgId, readGroups: () => identified.readGroups() })
  const session = await store.transaction({ orgId: serverChain, userId }, async (tx) => {
    await endFormerSession(tx, formerToken)
    const newSession = await openSession(tx, { userId, request, now: now() })
    const tokenHash = hashToken(newSession.token)
    await insertProviderSession(tx, { ...subject, tokenHash, userId, sid: identified.sid ?? null })
    recordSignIn(tx, { person, orgId, isFirst: known === undefined, request })
    return newSession
  })
  await signOutFormerPerson(deps, { token: formerToken, userId, request })
  return { session }
}

/** Returns whether the account has a password with a second factor, which a provider of one organization does not replace. */
function keepsOwnSignIn({ store }: SignInDeps, userId: string): Promise<boolean> {
  return store.transaction({ orgId: null, userId }, (tx) => hasPasswordAndFactor(tx, userId))
}

function isOfOrganization({ store }: SignInDeps, orgId: string, email: string): Promise<boolean> {
  return store.transaction({ orgId }, (tx) => isDomainVerified(tx, orgId, domainOf(email)))
}

/**
 * Links a person who comes for the first time: to an account that nobody can sign in to, to that of a member, or to a new one if
 * they were invited. An account that another person may hold is not shared with them: its address was never verified.
 */
async function linkPerson(
  deps: SignInDeps,
  subject: ProviderSubject,
  identified: OidcPerson,
): Promise<ProviderPerson | OidcRejection> {
  const { store, now } = deps
  const { orgId } = subject
  const profile = await identified.readProfile()
  const isVerified = profile.emailVerified || profile.isOfVerifiedDomain
  const email = isVerified ? emailAddress.safeParse(profile.email).data : undefined
  if (email === undefined) return 'email_unverified'
  if (!(await isOfOrganization(deps, orgId, email))) return 'domain_unverified'
  const createdAt = now()
  const known = await store.transaction({ orgId: null }, (tx) => findUserByEmail(tx, email))
  const isInvited = await store.maintenance((tx) => hasOpenInvitation(tx, email, createdAt))
  if (known === undefined && !isInvited) return 'no_account'
  const userId = known?.id ?? newId('usr', createdAt)
  const name = known?.name ?? nameOf(profile, email)
  return store.transaction({ orgId, userId }, async (tx) => {
    const user = { id: userId, email, name, passwordHash: null }
    const isFree =
      known === undefined
        ? await insertUserIfAbsent(tx, user, createdAt)
        : await mayLink(tx, orgId, userId)
    if (!isFree) return 'invitation_required'
    const isLinked = await insertProviderIdentity(tx, subject, { userId, createdAt })
    return isLinked ? { userId, name, email } : 'identity_taken'
  })
}

/** A member was let in by an admin who knew them; an account without a way in is nobody else's. */
async function mayLink(tx: Tx, orgId: string, userId: string): Promise<boolean> {
  const role = await findMemberRole(tx, orgId, userId)
  return role !== undefined || isUnclaimed(tx, userId)
}

function recordSignIn(
  tx: Tx,
  {
    person: { userId, name },
    orgId,
    isFirst,
    request,
  }: {
    readonly person: ProviderPerson
    readonly orgId: string
    readonly isFirst: boolean
    readonly request: AuditRequest
  },
): void {
  recordAuditEvent(tx, {
    orgId: serverChain,
    actor: { type: 'user', id: userId, name },
    action: 'auth.login',
    target: { type: 'user', id: userId, name },
    detail: { oidc: true, organization: orgId, ...(isFirst && { firstTime: true }) },
    request,
  })
}
