import { Problem } from '@signalbox/contract'
import type { SharedConnector, Connected } from '../../providers/connector.ts'
import { displayNameOf, findProvider } from '../../providers/find-provider.ts'
import type { Tx } from '../../store/store.ts'
import { askProvider } from '../grants/ask-provider.ts'
import { reauthRequired } from '../health/require-usable.ts'
import type { IntegrationDeps } from '../integration-deps.ts'
import { isUsable, type Integration } from '../integration.ts'
import { findIntegrationRow } from '../rows.ts'
import { storeDisconnected } from './store-disconnected.ts'

/**
 * Reads what a provider can use of the connection that it shares, and what that connection allows now.
 *
 * @throws {Problem} `integration_not_connected` when the other provider is not connected; `reauth_required`, `provider_error`
 */
export async function shareConnection(
  deps: Pick<IntegrationDeps, 'store' | 'now'>,
  orgId: string,
  connector: SharedConnector,
): Promise<Connected> {
  const kind = findProvider(connector.sharesWith)?.kind
  const owner = await deps.store.transaction({ orgId }, async (tx) =>
    kind === undefined ? undefined : findIntegrationRow(tx, { orgId, kind }),
  )
  const { account } = requireShared(connector, owner)
  const standing = await askProvider(deps, () => connector.readStanding(account.id))
  if (standing.standing !== 'active') throw notShared(connector)
  return {
    account,
    choices: [],
    grant: null,
    scopes: standing.access.scopes,
    reconnectBefore: null,
    settings: {},
  }
}

/**
 * Refuses where the connection that is shared is not there.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`
 */
export function requireShared(
  connector: Pick<SharedConnector, 'provider' | 'sharesWith'>,
  owner: Integration | undefined,
): Integration & { readonly account: NonNullable<Integration['account']> } {
  if (owner?.provider === connector.sharesWith && owner.state === 'reauth_required') {
    throw reauthRequired(owner)
  }
  const isOwner = owner?.provider === connector.sharesWith && isUsable(owner)
  if (owner === undefined || !isOwner || owner.account === null) throw notShared(connector)
  return { ...owner, account: owner.account }
}

function notShared({
  provider,
  sharesWith,
}: Pick<SharedConnector, 'provider' | 'sharesWith'>): Problem {
  const [name, owner] = [displayNameOf(provider), displayNameOf(sharesWith)]
  const detail = `${name} uses the connection of ${owner}, which is not connected. Connect ${owner} first.`
  return new Problem('integration_not_connected', detail)
}

/** Finds the integration in use that shares the connection of another one. */
export async function findSharing(
  tx: Tx,
  { orgId, provider }: Pick<Integration, 'orgId' | 'provider'>,
): Promise<Integration | undefined> {
  const integration = await findIntegrationRow(tx, { orgId, kind: 'tracker' }, 'for update')
  const own = integration && findProvider(integration.provider)
  return own?.kind === 'tracker' && own.sharesWith === provider ? integration : undefined
}

/** Ends what shares the connection of an integration that has ended. Returns it, if there is any. */
export async function disconnectSharing(
  deps: IntegrationDeps,
  tx: Tx,
  ended: Pick<Integration, 'orgId' | 'provider'>,
): Promise<Integration | undefined> {
  const integration = await findSharing(tx, ended)
  if (integration !== undefined) await storeDisconnected(deps, tx, { integration, grant: null })
  return integration
}
