import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '@signalbox/contract'
import type { IntegrationKind } from '@signalbox/contract/rest'
import type { RefreshLoss } from '../../providers/connector.ts'
import type { Grant } from '../../providers/grant.ts'
import { displayNameOf } from '../../providers/find-provider.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { Store, Tx } from '../../store/store.ts'
import { isPaused } from '../../jobs/stored-pause.ts'
import type { OrganizationKeys } from '../../vault/organization-keys.ts'
import {
  findCredentialRow,
  releaseLease,
  takeLease,
  type CredentialRow,
} from './credential-rows.ts'
import { connectorOfIntegration, type ConnectorOf } from '../connect/connectors.ts'
import type { GrantLog } from './grant-log.ts'
import type { Integration, IntegrationError } from '../integration.ts'
import { noteFailure } from '../health/health-rows.ts'
import { describeRefusedRenewal, noApplication, renewalRefused } from '../health/not-renewed.ts'
import { notConnected, reauthRequired, requireUsable } from '../health/require-usable.ts'
import { findIntegrationRow } from '../rows.ts'
import { planRenewal } from './plan-renewal.ts'
import { openGrant, sealGrant } from './sealed-grant.ts'
import { storeRenewed } from './store-renewed.ts'

/** Grants that work now. The only way to a provider's token. */
export interface AccessGrants {
  /**
   * A grant with an access token that does not end within the next minute. Refreshed by one caller of all, on whichever
   * node; the others wait for what that one gets.
   *
   * @param expired the generation whose token the provider has refused: it is replaced, whatever our clock says.
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
  /** Adds a job that renews this generation at a moment: nothing else may use the connection for hours. */
  readonly enqueueRenewal: (tx: Tx, of: DueRenewal, at: Date) => Promise<void>
  readonly now: () => Date
}

/** Describes a grant whose renewal failed and is repeated. */
export interface DueRenewal extends Pick<Integration, 'orgId' | 'id' | 'kind'> {
  readonly generation: number
}

/** A token is refreshed when a fifth of an hour, or less, is left of it, and used down to a minute. */
const refreshAheadMs = 12 * 60_000
const usableMs = 60_000
const leaseMs = 30_000
/** Waits longer than a lease, so that the lease of a node that ended is over before the wait is. */
const waitMsMax = 45_000
const recheckAfterMs = 100

/** Creates the only access to the tokens of organizations. */
export function createAccessGrants(deps: AccessGrantsDeps): AccessGrants {
  return {
    async get(orgId, kind, expired) {
      const startedAt = performance.now()
      for (;;) {
        const held = await read(deps, orgId, kind)
        const unstored = deps.grantLog.find(held.integration.id)
        if (unstored !== undefined) {
          await storeRenewed(deps, unstored)
          continue
        }
        const leftMs = leftOf(held, deps.now(), expired)
        const connector = connectorOfIntegration(deps.connectorOf, held.integration)
        // A token that has ended is sent nowhere, and only a server with the application can renew it.
        if (connector === undefined && leftMs <= 0)
          throw notRefreshed(toUnsent(held.integration, noApplication))
        const refresh = connector?.refresh
        if (leftMs > refreshAheadMs || refresh === undefined || held.grant.refreshToken === null) {
          return held.grant
        }
        const loss = connector?.refreshLoss
        const renewed = await renew(deps, held, { refresh, loss, isUsable: leftMs > usableMs })
        if (renewed !== undefined) return renewed
        if (performance.now() - startedAt > waitMsMax)
          throw notRefreshed(toUnsent(held.integration, 'busy'))
        await delay(recheckAfterMs)
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

interface Renewal {
  readonly refresh: (refreshToken: string) => Promise<Grant>
  readonly loss: RefreshLoss | undefined
}

/**
 * Renews a grant, or returns the present one while it is valid for long enough, whoever renews it and when.
 * `undefined`: another caller renews it.
 *
 * @throws {Problem} of a renewal that failed
 */
async function renew(
  deps: AccessGrantsDeps,
  held: Held,
  { isUsable, ...renewal }: Renewal & { readonly isUsable: boolean },
): Promise<HeldGrant | undefined> {
  const outcome = pauseOf(held, deps.now()) ?? (await refreshOnce(deps, held, renewal))
  if (outcome === 'renewed') {
    const { orgId, kind } = held.integration
    // Reads again: if the integration was disconnected in the meantime, the refreshed grant must not be used.
    return (await read(deps, orgId, kind)).grant
  }
  if (isUsable) return held.grant
  if (outcome !== 'busy') throw outcome
  return undefined
}

/** Returns the problem of a grant that nobody renews yet, since a renewal has just failed. */
function pauseOf({ integration, row: { retryAt, rejections } }: Held, now: Date) {
  if (retryAt === null || !isPaused(retryAt, now)) return undefined
  const code = rejections > 0 ? renewalRefused : 'paused'
  const paused = toUnsent(integration, code, retryAt)
  return notRefreshed(paused, retryAt.getTime() - now.getTime())
}

function toUnsent(
  { provider }: Pick<Integration, 'provider'>,
  code: string,
  retryAt?: Date,
): ProviderError {
  return new ProviderError({ provider, failure: 'unavailable', code, retryAt })
}

/** Returns `busy` when another caller has the lease or was faster, and the problem of a renewal that failed and is repeated. */
async function refreshOnce(
  deps: AccessGrantsDeps,
  { integration, row, grant }: Held,
  { refresh, loss }: Renewal,
): Promise<'renewed' | 'busy' | Problem> {
  const { store, keys, grantLog, nodeId: holder } = deps
  const { orgId, id: integrationId } = integration
  const ref = { orgId, integrationId }
  const { generation } = row
  const scope = { orgId }
  // Reads everything from the database before the call to the provider: afterwards the database may be away.
  const sealer = await store.transaction(scope, async (tx) =>
    (await takeLease(tx, ref, { generation, leaseMs, holder, now: deps.now() }))
      ? keys.getSealer(tx, orgId)
      : undefined,
  )
  if (sealer === undefined) return 'busy'
  let fresh: Grant
  try {
    fresh = await refresh(grant.refreshToken ?? '')
  } catch (error) {
    return handleFailure(deps, { integration, row, loss, error })
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
  return 'renewed'
}

/**
 * Gives the lease back, plans what follows, and returns the problem of a renewal that is repeated.
 *
 * @throws {Problem} `reauth_required`: a person has to connect again.
 */
async function handleFailure(
  deps: AccessGrantsDeps,
  of: Pick<Held, 'integration' | 'row'> & {
    readonly loss: RefreshLoss | undefined
    readonly error: unknown
  },
): Promise<Problem> {
  const { store, enqueueRenewal, requireReauth } = deps
  const { integration, row, loss, error } = of
  const { orgId, id, kind } = integration
  const { generation } = row
  const ref = { orgId, integrationId: id }
  const now = deps.now()
  const plan = error instanceof ProviderError ? planRenewal(loss, row, error, now) : undefined
  const retry = plan?.next === 'retry' ? plan : undefined
  const { rejections = row.rejections, at: retryAt = null } = retry ?? {}
  const isRefused = retryAt !== null && rejections > 0
  await store.transaction({ orgId }, async (tx) => {
    await releaseLease(tx, ref, { generation, rejections, retryAt, now })
    if (isRefused)
      await noteFailure(tx, { orgId, id }, toIntegrationError(integration, retryAt, now))
    if (retry?.isScheduled === true) {
      await enqueueRenewal(tx, { orgId, id, kind, generation }, retry.at)
    }
  })
  if (!(error instanceof ProviderError)) throw error
  if (retry !== undefined) {
    const cause = isRefused ? toUnsent(integration, renewalRefused, retry.at) : error
    return notRefreshed(cause, retry.at.getTime() - now.getTime())
  }
  await requireReauth(integration, { generation, code: error.code })
  throw reauthRequired(integration)
}

function toIntegrationError(
  { provider }: Pick<Integration, 'provider'>,
  retryAt: Date,
  now: Date,
): IntegrationError {
  const texts = describeRefusedRenewal(displayNameOf(provider), retryAt)
  return { code: renewalRefused, ...texts, at: now.toISOString() }
}

function notRefreshed(cause: ProviderError, pauseMs?: number): Problem {
  const next = pauseMs === undefined ? 'with the next call' : 'after a pause'
  const { code } = cause
  const detail = `Signalbox couldn’t renew its access. It tries again ${next}. The code is ${code}.`
  return new Problem('provider_error', detail, {
    cause,
    ...(pauseMs !== undefined && { retryAfterSeconds: Math.max(1, Math.ceil(pauseMs / 1000)) }),
  })
}
