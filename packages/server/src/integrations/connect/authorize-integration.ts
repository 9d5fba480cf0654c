import type { Caller } from '../../audit/caller.ts'
import { createHash } from 'node:crypto'
import { Problem } from '@signalbox/contract'
import type { IntegrationKind } from '@signalbox/contract/rest'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { Connector, OAuthConnector } from '../../providers/connector.ts'
import {
  absenceOfKind,
  displayNameOf,
  providersOfKind,
  returnKindOf,
} from '../../providers/find-provider.ts'
import { newOpaqueToken } from '../../crypto/opaque-tokens.ts'
import { takeRandomBytes } from '../../crypto/random.ts'
import { renderState, stateLifetimeMs } from './authorization-state.ts'
import { callbackUrl, type IntegrationDeps } from '../integration-deps.ts'
import { listIntegrationRows } from '../rows.ts'
import { chooseSharing } from './share-connection.ts'
import { insertAuthorizationRow } from './state-rows.ts'

/** Describes what is connected, and who connects it. */
export interface AuthorizeIntegration {
  readonly kind: IntegrationKind
  /** Left out: the only one of the kind that is set up and asks for consent in the browser. */
  readonly provider?: string | undefined
  /** `read`: only what reading takes, where the provider has such a level. `full`: also what is asked for on request alone. */
  readonly level?: 'read' | 'full' | undefined
  readonly userId: string
  readonly returnTo: string | undefined
}

/** Holds a connection that was begun. */
export interface StartedAuthorization {
  /** Where to send the browser. */
  readonly url: string
  /** The value of the browser's cookie: only this browser can finish the authorization. */
  readonly cookie: string
}

/**
 * Begins a connection (RFC 6749 §4.1). What comes back is bound to the organization, the member, this browser and the
 * provider, is good once, and for ten minutes.
 *
 * @throws {Problem} `invalid_query`, `provider_not_set_up`, `sealed`
 */
export async function authorizeIntegration(
  deps: IntegrationDeps,
  caller: Caller,
  { kind, provider: name, level, userId, returnTo }: AuthorizeIntegration,
): Promise<StartedAuthorization> {
  const { store, keys, stateKey, now } = deps
  const { orgId } = caller
  const connector = await chooseConnector(deps, orgId, { kind, provider: name })
  const { provider, usesPkce } = connector
  const issuedAt = now()
  const nonce = newOpaqueToken()
  const cookie = newOpaqueToken()
  const verifier = usesPkce ? takeRandomBytes(32).toString('base64url') : undefined
  await store.transaction(caller.scope, async (tx) => {
    const sealedVerifier =
      verifier === undefined
        ? null
        : (await keys.getSealer(tx, orgId)).seal(verifierContext(orgId, nonce.hash), verifier)
    const row = {
      orgId,
      nonceHash: nonce.hash,
      userId,
      provider,
      cookieHash: cookie.hash,
      sealedVerifier,
      returnTo: returnTo ?? null,
      expiresAt: new Date(issuedAt.getTime() + stateLifetimeMs),
    }
    await insertAuthorizationRow(tx, row, issuedAt)
    recordAuditEvent(tx, {
      orgId,
      actor: caller.author,
      action: 'integration.started',
      target: { type: 'integration', id: null, name: provider },
      request: caller.request,
    })
  })
  const state = renderState(stateKey, {
    nonce: nonce.token,
    orgId,
    userId,
    provider,
    cookieHash: cookie.hash.toString('base64url'),
    issuedAt,
  })
  const url = connector.authorizeUrl({
    state,
    // Only the addresses of the application's own provider are registered there.
    redirectUri: callbackUrl(deps, returnKindOf(provider) ?? kind),
    codeChallenge: verifier && challengeOf(verifier),
    level,
  })
  return { url, cookie: cookie.token }
}

/** @throws {Problem} `invalid_query` for a name that is none of the kind, or none among several; `provider_not_set_up` */
async function chooseConnector(
  { connectorOf, store }: Pick<IntegrationDeps, 'connectorOf' | 'store'>,
  orgId: string,
  { kind, provider: name }: Pick<AuthorizeIntegration, 'kind' | 'provider'>,
): Promise<OAuthConnector> {
  const names = providersOfKind(kind).map((provider) => provider.name)
  if (name !== undefined && !names.includes(name)) {
    throw invalidProvider(`No ${kind} is called ${name}. Use one of ${names.join(', ')}.`)
  }
  const connectors = (name === undefined ? names : [name]).flatMap(
    (each) => connectorOf(kind, each) ?? [],
  )
  const [connector, another] = connectors.filter(asksInBrowser)
  if (connector === undefined) {
    const [other] = connectors
    if (other === undefined) throw notSetUp(kind, name)
    if (name !== undefined && other.way === 'shared') {
      const rows = await store.transaction({ orgId }, (tx) => listIntegrationRows(tx, orgId))
      const chosen = chooseSharing(other, rows)
      if (chosen.way === 'own') return chosen.connector
    }
    const path = `POST …/integrations/${kind}/connection`
    throw invalidProvider(`${displayNameOf(other.provider)} is connected by ${path}.`)
  }
  if (another !== undefined) {
    const choices = connectors
      .filter(asksInBrowser)
      .map(({ provider }) => provider)
      .join(', ')
    throw invalidProvider(`Several are set up. Use one of ${choices}.`)
  }
  return connector
}

function asksInBrowser(connector: Connector): connector is OAuthConnector {
  return connector.way !== 'form' && connector.way !== 'shared'
}

function invalidProvider(detail: string): Problem {
  return new Problem('invalid_query', detail, {
    errors: [{ pointer: '?provider', code: 'invalid_query', detail }],
  })
}

/** Returns the context that a code verifier is sealed for. */
export function verifierContext(orgId: string, nonceHash: Buffer): string {
  return `${orgId}|oauth_states|${nonceHash.toString('base64url')}|verifier`
}

/** S256 of RFC 7636 §4.2. */
function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

function notSetUp(kind: IntegrationKind, name: string | undefined): Problem {
  const state =
    name === undefined
      ? `${absenceOfKind(kind)} is set up on this server.`
      : `${displayNameOf(name)} isn’t set up on this server.`
  const detail = `${state} An operator of the server sets it up first.`
  return new Problem('provider_not_set_up', detail)
}
