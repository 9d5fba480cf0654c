import type { OidcRejection } from '@signalbox/contract/rest'
import { serverChain, type AuditRequest } from '../../audit/audit-event.ts'
import { toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { hashOpaqueToken } from '../../crypto/opaque-tokens.ts'
import type { UserActor } from '../../http/admission/actor.ts'
import { markSessionConfirmed } from '../sessions/rows.ts'
import type { OidcDeps } from './oidc-deps.ts'
import type { OidcPerson } from './oidc-provider.ts'
import { findProviderPerson, type SignInProvider } from './providers/rows.ts'
import { findLinkedPerson } from './rows.ts'

export interface ConfirmByOidc {
  readonly identified: OidcPerson
  readonly person: UserActor
  /** `undefined`: they signed in with the provider of the settings. */
  readonly row: SignInProvider | undefined
  readonly sessionToken: string | undefined
  readonly askedAt: Date
  readonly request: AuditRequest
}

/** The provider's clock may be behind ours. */
const clockSkewMs = 60_000

/**
 * Records that the person of this session has just signed in at the provider, as if they had typed a password here. A provider
 * that still knew them and asked for nothing has not confirmed anything, and its `auth_time` shows it.
 */
export async function confirmByOidc(
  { store, now }: Pick<OidcDeps, 'store' | 'now'>,
  { identified, row, person, sessionToken, askedAt, request }: ConfirmByOidc,
): Promise<{ readonly session: undefined } | OidcRejection> {
  const { authenticatedAt } = identified
  const tokenHash = hashOpaqueToken(sessionToken ?? '')
  const isRecent =
    authenticatedAt !== undefined && authenticatedAt.getTime() >= askedAt.getTime() - clockSkewMs
  if (!isRecent || tokenHash === undefined) return 'not_confirmed'
  const { userId } = person
  const { subject } = identified
  const linked =
    row === undefined
      ? await store.transaction({ orgId: null }, (tx) => findLinkedPerson(tx, identified))
      : await store.transaction({ orgId: row.orgId }, (tx) =>
          findProviderPerson(tx, { orgId: row.orgId, providerId: row.id, subject }),
        )
  return store.transaction({ orgId: serverChain, userId }, async (tx) => {
    if (linked?.userId !== userId) return 'not_confirmed'
    await markSessionConfirmed(tx, tokenHash, now())
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: toAuthor(person),
      action: 'auth.confirmed',
      target: { type: 'user', id: userId, name: person.name },
      detail: { oidc: true },
      request,
    })
    return { session: undefined }
  })
}
