import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '@signalbox/contract'
import type { IntegrationKind } from '@signalbox/contract/rest'
import type { Grant } from '../../providers/grant.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { Store } from '../../store/store.ts'
import type { OrganizationKeys } from '../../vault/organization-keys.ts'
import {
  findCredentialRow,
  releaseLease,
  takeLease,
  type CredentialRow,
} from './credential-rows.ts'
import type { ConnectorOf } from '../connect/connectors.ts'
import type { GrantLog } from './grant-log.ts'
import type { Integration } from '../integration.ts'
import { notConnected, reauthRequired, requireUsable } from '../health/require-usable.ts'
import { findIntegrationRow } from '../rows.ts'
import { openGrant, sealGrant } from './sealed-grant.ts'
import { storeRenewed } from './store-renewed.ts'

/** Grants that work now. The only way to a provider's token. */
export interface AccessGrants {
  /**
   * A grant with an access token that does not end within the next minute. Refreshed by one caller of all, on whichever
   * node; the others wait for what that one gets.
   *
   * @param expired the generation whose token the provider has refused as expired: it is replaced, whatever our clock says.
   * @throws {Problem} `integration_not_connected`, `reauth_required`, `provider_error`
   */
  get(orgId: string, kind: IntegrationKind, expired?: number): Promise<HeldGrant>
}

/** Holds an access token, with the generation of its grant. */
export interface HeldGrant extends Grant {
  /** Grows with each refresh and each connection. Another one: the token that was held has been replaced. */
  readonly generation: number
}

/** Lists what access to grants needs. */
export interface AccessGrantsDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly keys: Pick<OrganizationKeys, 'getSealer'>
  /** `undefined`: this server has no application at the provider any more, so nothing is renewed. */
  readonly connectorOf: ConnectorOf
  readonly grantLog: GrantLog
  /** Names this life of the node, with which its leases end. */
  readonly nodeId: string
  /** Called when the provider refuses the refresh token: a person has to connect again. */
  readonly requireReauth: (
    integration: Pick<Integration, 'orgId' | 'id' | 'provider'>,
    of: { readonly generation: number; readonly code: string },
  ) => Promise<void>
  readonly now: () => Date
}

/** A token is refreshed when a fifth of an hour, or less, is left of it, and used down to a minute. */
const refreshAheadMs = 12 * 60_000
const usableMs = 60_000
const leaseMs = 30_000
/** Waits longer than a lease, so that the lease of a node that ended is over before the wait is. */
const waitMsMax = 45_000
const lookAgainMs = 100

/** Creates the only access to the tokens of organizations. */
export function createAccessGrants(deps: AccessGrantsDeps): AccessGrants {
  return {
    async get(orgId, kind, expired) {
      const startedAt = performance.now()
      for (;;) {
        const held = await read(deps, orgId, kind)
        const renewed = deps.grantLog.find(held.integration.id)
        if (renewed !== undefined) {
          await storeRenewed(deps, renewed)
          continue
        }
        const leftMs = leftOf(held, deps.now(), expired)
        const connector = deps.connectorOf(kind, held.integration.provider)
        // A token that has ended is sent nowhere, and only a server with the application can renew it.
        if (connector === undefined && leftMs <= 0) throw notRefreshed('no_application')
        const refresh = connector?.refresh
        if (leftMs > refreshAheadMs || refresh === undefined || held.grant.refreshToken === null) {
          return held.grant
        }
        // Read again: after a disconnection meanwhile, the refreshed grant must not be used.
        if (await refreshOnce(deps, held, refresh)) return (await read(deps, orgId, kind)).grant
        // Another node refreshes it. The present token serves while it is valid for long enough.
        if (leftMs > usableMs) return held.grant
        if (performance.now() - startedAt > waitMsMax) throw notRefreshed('busy')
        await delay(lookAgainMs)
      }
    },
  }
}

interface Held {
  readonly integration: Integration
  readonly row: CredentialRow
  readonly grant: HeldGrant
}

async function read(
  { store, keys }: AccessGrantsDeps,
  orgId: string,
  kind: IntegrationKind,
): Promise<Held> {
  return store.transaction({ orgId }, async (tx) => {
    const integration = requireUsable(await findIntegrationRow(tx, { orgId, kind }))
    const integrationId = integration.id
    const row = await findCredentialRow(tx, { orgId, integrationId })
    if (row === undefined) throw notConnected()
    const { generation, sealed } = row
    const ref = { orgId, integrationId, generation }
    const grant = openGrant(await keys.getSealer(tx, orgId), ref, sealed)
    return { integration, row, grant: { ...grant, generation } }
  })
}

/** `expired` is the generation that a provider has refused before its time. */
function leftOf({ row, grant }: Held, now: Date, expired: number | undefined): number {
  if (grant.generation === expired) return 0
  const { accessExpiresAt } = row
  return accessExpiresAt === null
    ? Number.POSITIVE_INFINITY
    : accessExpiresAt.getTime() - now.getTime()
}

/** Returns whether it was refreshed; `false` when another node has the lease or was faster. */
async function refreshOnce(
  deps: AccessGrantsDeps,
  { integration, row, grant }: Held,
  refresh: (refreshToken: string) => Promise<Grant>,
): Promise<boolean> {
  const { store, keys, grantLog, nodeId: holder } = deps
  const { orgId, id: integrationId } = integration
  const ref = { orgId, integrationId }
  const { generation } = row
  const scope = { orgId }
  // Reads everything from the database before the call to the provider: afterwards the database may be away.
  const sealer = await store.transaction(scope, async (tx) =>
    (await takeLease(tx, ref, { generation, leaseMs, holder }))
      ? keys.getSealer(tx, orgId)
      : undefined,
  )
  if (sealer === undefined) return false
  let fresh: Grant
  try {
    fresh = await refresh(grant.refreshToken ?? '')
  } catch (error) {
    await store.transaction(scope, (tx) => releaseLease(tx, ref, generation))
    throw await explainFailure(deps, { integration, generation, error })
  }
  const { refreshToken, scopes } = grant
  const next = {
    ...fresh,
    // A provider that does not rotate leaves it out.
    refreshToken: fresh.refreshToken ?? refreshToken,
    scopes: fresh.scopes.length > 0 ? fresh.scopes : scopes,
  }
  const renewedRef = { ...ref, generation: generation + 1 }
  const { accessExpiresAt, refreshExpiresAt } = next
  const sealed = sealGrant(sealer, renewedRef, next)
  const renewed = { ...renewedRef, sealed, accessExpiresAt, refreshExpiresAt }
  await grantLog.keep(renewed)
  await storeRenewed(deps, renewed)
  return true
}

async function explainFailure(
  { requireReauth }: AccessGrantsDeps,
  of: { readonly integration: Integration; readonly generation: number; readonly error: unknown },
): Promise<unknown> {
  const { integration, generation, error } = of
  if (!(error instanceof ProviderError)) return error
  if (error.failure !== 'rejected') return notRefreshed(error.code, error)
  await requireReauth(integration, { generation, code: error.code })
  return reauthRequired(integration)
}

function notRefreshed(code: string, cause?: unknown): Problem {
  const detail = `Signalbox couldn’t renew its access (${code}). It tries again with the next call.`
  return new Problem('provider_error', detail, { cause })
}
