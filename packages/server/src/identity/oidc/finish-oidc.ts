import { timingSafeEqual } from 'node:crypto'
import type { OidcRejection } from '@signalbox/contract/rest'
import { serverChain, systemAuthor, type AuditRequest } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { hashOpaqueToken } from '../../crypto/opaque-tokens.ts'
import type { UserActor } from '../../http/admission/actor.ts'
import type { OpenedSession } from '../sessions/open-session.ts'
import { bindTo } from './begin-oidc.ts'
import { confirmByOidc } from './confirm-by-oidc.ts'
import { linkOidc } from './link-oidc.ts'
import type { OidcDeps } from './oidc-deps.ts'
import { OidcError } from './oidc-error.ts'
import type { OidcAnswer, OidcPerson, OidcProvider } from './oidc-provider.ts'
import { findAttempt, takeAttempt, type OidcAttempt } from './rows.ts'
import type { SignInProvider } from './providers/rows.ts'
import { signInByProvider } from './providers/sign-in-by-provider.ts'
import { signInByOidc } from './sign-in-by-oidc.ts'

export interface FinishOidc {
  readonly answer: OidcAnswer
  /** Names the organization whose callback it is; `undefined`: the one of the provider of the settings. */
  readonly orgId: string | undefined
  /** Holds the cookie that the browser got at the beginning. */
  readonly cookie: string | undefined
  /** Names the person who is signed in to the browser. */
  readonly person: UserActor | undefined
  /** Holds the token of that session. */
  readonly sessionToken: string | undefined
  readonly request: AuditRequest
}

/** Describes the outcome of an attempt. */
export type FinishedOidc =
  | {
      readonly outcome: 'done'
      readonly returnTo: string | null
      /** The session of the person who has signed in. */
      readonly session: OpenedSession | undefined
    }
  | {
      readonly outcome: OidcRejection
      /** Holds the attempt, once it is certain. */
      readonly attempt: OidcAttempt | undefined
    }

/**
 * Finishes an attempt: checks that the answer belongs to it, uses it up, identifies the person and does what it was begun for.
 * The code is exchanged only for the browser that began the attempt.
 */
export async function finishOidc(deps: OidcDeps, finish: FinishOidc): Promise<FinishedOidc> {
  if (finish.orgId === undefined && deps.provider === undefined) {
    return { outcome: 'not_set_up', attempt: undefined }
  }
  const ownAttempt = await findOwnAttempt(deps, finish)
  if (typeof ownAttempt === 'string') return { outcome: ownAttempt, attempt: undefined }
  const { attempt, cookie } = ownAttempt
  // The code of another provider would come back to another address, and is given to nobody.
  if ((attempt.providerOrgId ?? undefined) !== finish.orgId) {
    return { outcome: 'state_invalid', attempt: undefined }
  }
  const chosen = await chooseProvider(deps, attempt)
  if (chosen === undefined) return { outcome: 'not_set_up', attempt: undefined }
  if (attempt.userId !== null && finish.person?.userId !== attempt.userId) {
    return { outcome: 'session_changed', attempt: undefined }
  }
  const isTaken = await deps.store.transaction({ orgId: null, userId: attempt.userId }, (tx) =>
    takeAttempt(tx, attempt.stateHash, deps.now()),
  )
  if (!isTaken) return { outcome: 'state_used', attempt }
  const done = await act(deps, finish, { ...chosen, attempt, cookie })
  if (typeof done === 'object') {
    return { outcome: 'done', returnTo: attempt.returnTo, session: done.session }
  }
  await recordRejection(deps, finish, done)
  return { outcome: done, attempt }
}

/** Returns the provider to which an attempt leads, with its row where it is of an organization. */
async function chooseProvider(
  { provider, providers }: OidcDeps,
  { providerOrgId, providerId }: OidcAttempt,
): Promise<Pick<Pending, 'provider' | 'row'> | undefined> {
  if (providerOrgId === null || providerId === null) {
    return provider && { provider, row: undefined }
  }
  const client = await providers.open(providerOrgId, providerId)
  return client && { provider: client.client, row: client.row }
}

interface OwnAttempt {
  readonly attempt: OidcAttempt
  readonly cookie: string
}

/** The attempt that the answer names, if this browser began it. */
async function findOwnAttempt(
  { store, now }: OidcDeps,
  { answer, cookie }: FinishOidc,
): Promise<OwnAttempt | OidcRejection> {
  const stateHash = hashOpaqueToken(answer.state ?? '')
  if (stateHash === undefined) return 'state_invalid'
  const attempt = await store.transaction({ orgId: null }, (tx) => findAttempt(tx, stateHash))
  if (attempt === undefined) return 'state_invalid'
  const cookieHash = hashOpaqueToken(cookie ?? '')
  if (
    cookie === undefined ||
    cookieHash === undefined ||
    !timingSafeEqual(cookieHash, attempt.cookieHash)
  ) {
    return 'browser_changed'
  }
  return attempt.expiresAt > now() ? { attempt, cookie } : 'state_expired'
}

interface Pending extends OwnAttempt {
  readonly provider: OidcProvider
  /** `undefined`: it is the one of the settings. */
  readonly row: SignInProvider | undefined
}

/** Describes the outcome of an attempt that is not refused. */
interface Done {
  readonly session: OpenedSession | undefined
}

async function act(
  deps: OidcDeps,
  { answer, person, sessionToken, request }: FinishOidc,
  { provider, row, attempt, cookie }: Pending,
): Promise<Done | OidcRejection> {
  try {
    const binding = bindTo(deps.signInKey, { state: answer.state ?? '', cookie })
    const identified: OidcPerson = await provider.identify(answer, binding)
    if (attempt.purpose === 'sign_in') {
      const signIn = { identified, formerToken: sessionToken, request }
      return row === undefined
        ? await signInByOidc(deps, signIn)
        : await signInByProvider(deps, row, signIn)
    }
    if (person === undefined) return 'session_changed'
    const confirmed = { identified, person, request }
    return attempt.purpose === 'link'
      ? await linkOidc(deps, confirmed)
      : await confirmByOidc(deps, { ...confirmed, row, sessionToken, askedAt: attempt.createdAt })
  } catch (error) {
    if (!(error instanceof OidcError)) throw error
    deps.log.warn('A sign-in through the OpenID provider failed', {
      code: error.rejection,
      reason: error.message,
    })
    return error.rejection
  }
}

async function recordRejection(
  { store }: OidcDeps,
  { person, request }: FinishOidc,
  reason: OidcRejection,
): Promise<void> {
  const target = { type: 'user', id: person?.userId ?? null, name: person?.name ?? null }
  await store.transaction({ orgId: serverChain }, async (tx) =>
    recordAuditEvent(tx, {
      orgId: serverChain,
      actor: systemAuthor,
      action: 'auth.login_failed',
      target,
      detail: { oidc: true, reason },
      request,
    }),
  )
}
