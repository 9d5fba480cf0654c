import { Problem } from '@signalbox/contract'
import type { IntegrationKind } from '@signalbox/contract/rest'
import type { Connection } from '../../providers/connection.ts'
import type { ContextOf } from '../../providers/context.ts'
import { findProvider } from '../../providers/find-provider.ts'
import type { WithAccessToken } from '../../providers/grant.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { connectorOfIntegration } from '../connect/connectors.ts'
import { requireShared } from '../connect/share-connection.ts'
import type { AccessGrants, AccessGrantsDeps, HeldGrant } from './access-grants.ts'
import type { IntegrationHealth } from '../health/health.ts'
import type { Integration } from '../integration.ts'
import { refreshAccess, type AccessDeps } from '../health/refresh-access.ts'
import { notConnected, requireUsable } from '../health/require-usable.ts'
import { findIntegrationRow } from '../rows.ts'
import { chatSettings } from '../settings-of-kind.ts'

/** Lists what opening a connection needs. */
export interface OpenConnectionDeps extends AccessDeps {
  readonly grants: AccessGrants
  readonly contextOf: ContextOf
  readonly health: IntegrationHealth
  readonly requireReauth: AccessGrantsDeps['requireReauth']
}

/**
 * Opens what an organization has connected, ready to be called.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`
 */
export async function openConnection(
  deps: OpenConnectionDeps,
  orgId: string,
  kind: IntegrationKind,
): Promise<{ readonly provider: string; readonly connection: Connection }> {
  const { contextOf, health } = deps
  const integration = await read(deps, orgId, kind)
  const { provider, scopes, settings } = integration
  const owner = await readOwner(deps, integration)
  const { account } = owner
  if (account === null) throw notConnected()
  const { egress, now } = contextOf(provider)
  const readLimit = findProvider(provider)?.readLimit
  const connection: Connection = {
    account,
    scopes,
    learnedUrl: kind === 'chat' ? chatSettings.parse(settings).learnedUrl : undefined,
    call: {
      provider,
      egress,
      now,
      observe: health.observe(integration),
      pausedUntil: health.pausedUntil(integration),
      ...(readLimit !== undefined && { readLimit }),
    },
    withAccessToken: createWithAccessToken(deps, owner),
    async requireConnected() {
      const current = await read(deps, orgId, kind)
      if (current.id !== integration.id) throw notConnected()
      if ((await readOwner(deps, current)).account?.id !== account.id) throw notConnected()
    },
    async refreshAccess() {
      // The provider did not report that the account is gone, so that its settings are kept.
      const state = await refreshAccess(deps, integration, 'reauth_required')
      if (state === 'reauth_required') return 'ended'
      return state === 'suspended' ? state : undefined
    },
  }
  return { provider, connection }
}

/** Returns the integration whose account and grant are used: its own, or the one that it shares. */
async function readOwner(
  { store, connectorOf }: Pick<OpenConnectionDeps, 'store' | 'connectorOf'>,
  integration: Integration,
): Promise<Integration> {
  const { orgId } = integration
  const connector = connectorOfIntegration(connectorOf, integration)
  if (connector?.way !== 'shared') return integration
  const kind = findProvider(connector.sharesWith)?.kind
  const owner = await store.transaction({ orgId }, async (tx) =>
    kind === undefined ? undefined : findIntegrationRow(tx, { orgId, kind }),
  )
  return requireShared(connector, owner)
}

function read(
  { store }: Pick<OpenConnectionDeps, 'store'>,
  orgId: string,
  kind: IntegrationKind,
): Promise<Integration> {
  return store.transaction({ orgId }, async (tx) =>
    requireUsable(await findIntegrationRow(tx, { orgId, kind })),
  )
}

function createWithAccessToken(
  { grants, requireReauth }: Pick<OpenConnectionDeps, 'grants' | 'requireReauth'>,
  integration: Integration,
): WithAccessToken {
  const { orgId, kind } = integration
  const hold = (expired?: number) =>
    grants.get(orgId, kind, expired).catch((error: unknown) => {
      throw toUnsent(error)
    })
  const attempt = async <T>(
    send: (accessToken: string) => Promise<T>,
    held: HeldGrant,
    refused?: HeldGrant,
  ): Promise<T> => {
    try {
      return await send(held.accessToken)
    } catch (error) {
      if (!isRejection(error)) throw error
      // A token can end before its time: only a renewal that is refused, or whose token is, ends the connection.
      const expired = error.failure === 'unauthorized' ? held.generation : undefined
      const next = refused === undefined ? await hold(expired) : held
      if (next.generation !== held.generation) return attempt(send, next, held)
      if (error.failure === 'unauthorized') {
        await requireReauth(integration, { generation: held.generation, code: error.code })
      }
      throw error
    }
  }
  return async (send) => attempt(send, await hold())
}

/** A token that could not be renewed just now is no end: nothing was sent, and a repeat may succeed. */
function toUnsent(error: unknown): unknown {
  if (!(error instanceof Problem) || !(error.cause instanceof ProviderError)) return error
  const { provider, code, retryAt } = error.cause
  const failure = error.cause.failure === 'rateLimited' ? 'rateLimited' : 'unavailable'
  return new ProviderError({ provider, failure, code, retryAt }, { cause: error })
}

/**
 * Returns whether an expired token may be the reason of a rejection. The gateway of a provider may answer one with 404 on some paths and with 403
 * on others.
 */
function isRejection(error: unknown): error is ProviderError {
  if (!(error instanceof ProviderError)) return false
  const { failure } = error
  return failure === 'unauthorized' || failure === 'forbidden' || failure === 'notFound'
}
