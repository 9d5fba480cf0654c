import { Problem } from '@signalbox/contract'
import type { IntegrationKind } from '@signalbox/contract/rest'
import type { ProviderCall } from '../providers/call-provider.ts'
import type { WithAccessToken } from '../providers/grant.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { Store } from '../store/store.ts'
import type { AccessGrants, AccessGrantsDeps, HeldGrant } from './access-grants.ts'
import type { IntegrationHealth } from './health.ts'
import type { Integration, IntegrationAccount } from './integration.ts'
import type { ProviderGate } from './provider-apps.ts'
import { notConnected, requireUsable } from './require-usable.ts'
import { findIntegrationRow } from './rows.ts'

export interface OpenWithGrantDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly grants: AccessGrants
  readonly gate: Pick<ProviderGate, 'addresses' | 'egress' | 'now'>
  readonly health: IntegrationHealth
  readonly requireReauth: AccessGrantsDeps['requireReauth']
}

/** What an organization has connected, ready to be called. */
export interface OpenedWithGrant {
  readonly integration: Integration
  readonly account: IntegrationAccount
  /** How each call goes is noted as the health of the integration. */
  readonly call: ProviderCall
  /** Asks for the token anew each time: one that ends midway through many calls is replaced between two of them. */
  readonly withAccessToken: WithAccessToken
}

/**
 * Opens what is reached with a token that the provider granted and that ends.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`
 */
export async function openWithGrant(
  deps: OpenWithGrantDeps,
  orgId: string,
  kind: IntegrationKind,
): Promise<OpenedWithGrant> {
  const { store, gate, health } = deps
  const integration = await store.transaction({ orgId }, async (tx) =>
    requireUsable(await findIntegrationRow(tx, { orgId, kind })),
  )
  const { account, provider } = integration
  if (account === null) throw notConnected()
  const { egress, now } = gate
  return {
    integration,
    account,
    call: {
      provider,
      egress,
      now,
      observe: health.observe(integration),
      pausedUntil: health.pausedUntil(integration),
    },
    withAccessToken: createWithAccessToken(deps, integration),
  }
}

function createWithAccessToken(
  { grants, requireReauth }: Pick<OpenWithGrantDeps, 'grants' | 'requireReauth'>,
  integration: Integration,
): WithAccessToken {
  const { orgId, kind } = integration
  const hold = (expired?: number) =>
    grants.get(orgId, kind, expired).catch((error: unknown) => {
      throw toUnsent(integration, error)
    })
  const attempt = async <T>(
    send: (accessToken: string) => Promise<T>,
    held: HeldGrant,
    refused?: HeldGrant,
  ): Promise<T> => {
    try {
      return await send(held.accessToken)
    } catch (error) {
      if (!isRefusal(error)) throw error
      // Slack says so of a token that only has to be renewed.
      const expired = error.code === 'token_expired' ? held.generation : undefined
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
function toUnsent({ provider }: Integration, error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'provider_error') return error
  const cause = error.cause instanceof ProviderError ? error.cause : undefined
  const failure = cause?.failure === 'rateLimited' ? 'rateLimited' : 'unavailable'
  const code = cause?.code ?? 'not_renewed'
  return new ProviderError({ provider, failure, code, retryAt: cause?.retryAt }, { cause: error })
}

/**
 * Whether a token that has ended may be why. Jira's gateway answers one with 404 on some paths and with 403 on others.
 *
 * @see https://github.com/n8n-io/n8n/pull/37776
 */
function isRefusal(error: unknown): error is ProviderError {
  if (!(error instanceof ProviderError)) return false
  const { failure } = error
  return failure === 'unauthorized' || failure === 'forbidden' || failure === 'notFound'
}
