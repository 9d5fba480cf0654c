import type { IntegrationKind } from '@signalbox/contract/rest'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { holdAdmin, LostRight, PersonOfSession } from '../../identity/members/hold-admin.ts'
import { systemAuthor, type AuditRequest, type Author } from '../../audit/audit-event.ts'
import { hashOpaqueToken } from '../../crypto/opaque-tokens.ts'
import {
  applicationOwnerOf,
  findProvider,
  providersOfKind,
  returnKindOf,
} from '../../providers/find-provider.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { Provider, ReturnOutcome } from '../../providers/provider.ts'
import { verifierContext } from './authorize-integration.ts'
import { readState, type AuthorizationState } from './authorization-state.ts'
import type { Connected, ConnectionRejection, OAuthConnector } from '../../providers/connector.ts'
import type { AuthorizationResponse } from '../../providers/grant.ts'
import { callbackUrl, type IntegrationDeps } from '../integration-deps.ts'
import { connectorOfIntegration } from './connectors.ts'
import { keepConnection, type KeepRejection } from './keep-connection.ts'
import { takeAuthorizationRow, type AuthorizationRow } from './state-rows.ts'

/** Names why a way back from a provider led nowhere. Each has a page that says what to do. */
export type CallbackRejection =
  | 'state_invalid'
  | 'state_expired'
  | 'state_used'
  | 'provider_mismatch'
  | ReturnOutcome
  | 'provider_denied'
  | 'exchange_failed'
  | 'provider_unavailable'
  | KeepRejection
  | ConnectionRejection

/** Says how a connection ended. */
export type FinishedAuthorization =
  | {
      readonly outcome: 'connected'
      readonly kind: IntegrationKind
      readonly returnTo: string | null
    }
  /** `kind`: what was to be connected, where the answer says it. */
  | { readonly outcome: CallbackRejection; readonly kind?: IntegrationKind }

/** Names the person whose browser came back. */
export interface ReturningMember extends PersonOfSession {
  readonly author: Author
}

/** Holds what a browser came back with. */
export interface FinishAuthorization {
  /** The kind in the address: that of the provider whose application was used. */
  readonly kind: IntegrationKind
  /** Holds the answer of the provider, and its further parameters. `error`: RFC 6749 §4.1.2.1. */
  readonly query: Readonly<Record<string, unknown>> & {
    readonly code?: string | undefined
    readonly state?: string | undefined
    readonly error?: string | undefined
  }
  readonly cookie: string | undefined
  /** `undefined` when no person is signed in. */
  readonly member: ReturningMember | undefined
  readonly request: AuditRequest
}

/** Lists what finishing an authorization needs. */
export interface FinishDeps extends IntegrationDeps {
  readonly holdAdmin: typeof holdAdmin
}

/**
 * Finishes an authorization: checks that the answer belongs to it, uses up its state, exchanges the code and stores the grant.
 * The code is exchanged only for the person and browser that began it.
 */
export async function finishAuthorization(
  deps: FinishDeps,
  finish: FinishAuthorization,
): Promise<FinishedAuthorization> {
  if (findReturning(finish.kind, finish.query) !== undefined)
    return { outcome: 'changed_elsewhere' }
  const read = readState(deps.stateKey, finish.query.state ?? '', deps.now())
  if (read.outcome !== 'valid') return { outcome: `state_${read.outcome}` }
  const { state } = read
  const { member } = finish
  const kind = findProvider(state.provider)?.kind
  if (kind === undefined || returnKindOf(state.provider) !== finish.kind)
    return { outcome: 'provider_mismatch' }
  if (member === undefined || !isSameBrowser(state, finish))
    return { outcome: 'session_changed', kind }
  const taken = await takeState(deps, state, member)
  if (taken === undefined) return { outcome: 'state_used', kind }
  const refused = await connectAs(deps, finish, { state, kind, taken, member })
  if (refused === undefined) return { outcome: 'connected', kind, returnTo: taken.row.returnTo }
  await recordRejection(deps, state, finish, refused)
  return { outcome: refused, kind }
}

/** Finds the provider on whose own pages the change was made. Nobody here began that, so its code is left to expire. */
function findReturning(
  kind: IntegrationKind,
  query: FinishAuthorization['query'],
): Provider | undefined {
  return providersOfKind(kind).find(({ returns }) => returns?.read(query) === 'changed_elsewhere')
}

/** Returns what the provider is called from which a browser came back, for its page. */
export function nameOfReturn(kind: IntegrationKind, query: FinishAuthorization['query']): string {
  return findReturning(kind, query)?.displayName ?? 'The provider'
}

/** The browser that started it has the cookie, and the same person is signed in there. */
function isSameBrowser(
  { cookieHash, userId }: AuthorizationState,
  { cookie, member }: FinishAuthorization,
): boolean {
  const hash = cookie === undefined ? undefined : hashOpaqueToken(cookie)
  return hash?.toString('base64url') === cookieHash && member?.userId === userId
}

interface Taken {
  readonly row: AuthorizationRow
  readonly lost: LostRight | undefined
  readonly codeVerifier: string | undefined
}

async function takeState(
  { store, keys, holdAdmin: hold, now }: FinishDeps,
  { orgId, nonce, userId }: AuthorizationState,
  member: ReturningMember,
): Promise<Taken | undefined> {
  const nonceHash = hashOpaqueToken(nonce)
  if (nonceHash === undefined) return undefined
  return store.transaction({ orgId, userId }, async (tx) => {
    const row = await takeAuthorizationRow(tx, { orgId, nonceHash }, now())
    if (row === undefined) return undefined
    const { sealedVerifier } = row
    const codeVerifier =
      sealedVerifier === null
        ? undefined
        : (await keys.getSealer(tx, orgId))
            .open(verifierContext(orgId, nonceHash), sealedVerifier)
            .toString('utf8')
    return { row, codeVerifier, lost: await hold(tx, orgId, member) }
  })
}

interface Pending {
  readonly state: AuthorizationState
  /** The kind that is connected. */
  readonly kind: IntegrationKind
  readonly taken: Taken
  readonly member: ReturningMember
}

async function connectAs(
  deps: FinishDeps,
  finish: FinishAuthorization,
  { state, kind, taken, member }: Pending,
): Promise<CallbackRejection | undefined> {
  const { query } = finish
  const { code, error } = query
  if (taken.lost !== undefined) return taken.lost
  // A provider may say more than the error of the standard.
  const returned = findProvider(applicationOwnerOf(state.provider))?.returns?.read(query)
  if (returned !== undefined) return returned
  if (error !== undefined) return rejectionOfError(error)
  const { provider } = state
  // Nobody is sent there for a connection that is shared.
  const connector = connectorOfIntegration(deps.connectorOf, { kind, provider, isShared: false })
  const isByBrowser = connector?.way === undefined || connector.way === 'oauth'
  if (code === undefined || connector === undefined || !isByBrowser) {
    return 'exchange_failed'
  }
  const redirectUri = callbackUrl(deps, finish.kind)
  const response = { code, redirectUri, codeVerifier: taken.codeVerifier, query }
  const connected = await exchange(connector, response)
  if (typeof connected === 'string') return connected
  const { orgId } = state
  return keepConnection(deps, {
    orgId,
    userId: member.userId,
    kind,
    connector,
    connected,
    holdAdmin: (tx) => deps.holdAdmin(tx, orgId, member),
    author: member.author,
    request: {
      ...finish.request,
      credential: { type: 'session', id: member.sessionId, name: null },
    },
  })
}

/** Returns what a provider means that sends the browser back with an error (RFC 6749 §4.1.2.1). */
function rejectionOfError(error: string): CallbackRejection {
  switch (error) {
    case 'access_denied':
      return 'provider_denied'
    case 'server_error':
    case 'temporarily_unavailable':
      return 'provider_unavailable'
    // Such as a callback URL or a scope that the application is not registered with.
    default:
      return 'exchange_failed'
  }
}

async function exchange(
  connector: OAuthConnector,
  response: AuthorizationResponse,
): Promise<Connected | CallbackRejection> {
  try {
    return await connector.connect(response)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const isOurs = error.failure === 'rejected' || error.failure === 'unauthorized'
    return isOurs ? 'exchange_failed' : 'provider_unavailable'
  }
}

async function recordRejection(
  { store }: FinishDeps,
  { orgId, userId, provider }: AuthorizationState,
  { member, request }: FinishAuthorization,
  reason: CallbackRejection,
): Promise<void> {
  await store.transaction({ orgId, userId }, async (tx) =>
    recordAuditEvent(tx, {
      orgId,
      actor: member?.author ?? systemAuthor,
      action: 'integration.callback_refused',
      target: { type: 'integration', id: null, name: provider },
      detail: { reason },
      request,
    }),
  )
}
