import { Problem } from '@signalbox/contract'
import type {
  AccountStanding,
  Connected,
  OwnConnector,
  SharedConnector,
} from '../../providers/connector.ts'
import { displayNameOf, findProvider, sharesWithOf } from '../../providers/find-provider.ts'
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
  const { account, scopes } = requireShared(connector, owner)
  const standing = await readStanding(deps, connector, account.id)
  if (standing !== undefined && standing.standing !== 'active') {
    throw new Problem('integration_not_connected', explainNeed(connector, undefined))
  }
  return {
    account,
    choices: [],
    grant: null,
    scopes: standing?.access.scopes ?? scopes,
    reconnectBefore: null,
    settings: {},
  }
}

/** Asks the provider what the account allows now; `undefined` where the scopes of the grant say it. @throws {Problem} */
async function readStanding(
  deps: Pick<IntegrationDeps, 'now'>,
  { readStanding: read }: SharedConnector,
  accountId: string,
): Promise<AccountStanding | undefined> {
  return read && askProvider(deps, () => read(accountId))
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
  const need = findNeed(connector, owner === undefined ? [] : [owner])
  if (need !== undefined || !owner?.account) {
    throw new Problem('integration_not_connected', need ?? explainNeed(connector, owner))
  }
  return { ...owner, account: owner.account }
}

/** Returns what a person does before a provider can share a connection, in sentences; `undefined`: it can now. */
function findNeed(
  connector: Pick<SharedConnector, 'provider' | 'sharesWith'>,
  integrations: readonly Integration[],
): string | undefined {
  const owner = integrations.find(({ provider }) => provider === connector.sharesWith)
  if (owner !== undefined && owner.account !== null && isUsable(owner)) return undefined
  return explainNeed(connector, owner)
}

function explainNeed(
  { provider, sharesWith }: Pick<SharedConnector, 'provider' | 'sharesWith'>,
  owner: Integration | undefined,
): string {
  const [name, shared] = [displayNameOf(provider), displayNameOf(sharesWith)]
  const uses = `${name} uses the connection of ${shared}`
  if (owner?.state === 'reauth_required') {
    return `${uses}, which has ended. Connect ${shared} again first.`
  }
  if (owner?.state === 'suspended') {
    return `${uses}, which is suspended. Unsuspend it at ${shared} first.`
  }
  return `${uses}, which is not connected. Connect ${shared} first.`
}

/** Says how a provider that may share a connection is connected now. */
export type SharingWay =
  /** `need`: what a person does before, in sentences; `undefined`: nothing. */
  | { readonly way: 'shared'; readonly need: string | undefined }
  | { readonly way: 'own'; readonly connector: OwnConnector }

/**
 * Returns how a provider that may share a connection is connected, given an organization's integrations. A provider
 * that is already connected stays as it is. Otherwise it shares, unless the organization uses a different provider
 * where it would share.
 */
export function chooseSharing(
  connector: SharedConnector,
  integrations: readonly Integration[],
): SharingWay {
  const { own, provider, sharesWith } = connector
  const inUse = integrations.filter(({ state }) => state !== 'disconnected')
  const current = inUse.find((each) => each.provider === provider)
  const kind = findProvider(sharesWith)?.kind
  const host = inUse.find((each) => each.kind === kind)
  const isElsewhere = host !== undefined && host.provider !== sharesWith
  const isOwn = current === undefined ? isElsewhere : !current.isShared
  if (own !== undefined && isOwn) return { way: 'own', connector: own }
  return { way: 'shared', need: findNeed(connector, integrations) }
}

/** Finds the integration in use that shares the connection of another one. */
export async function findSharing(
  tx: Tx,
  { orgId, provider }: Pick<Integration, 'orgId' | 'provider'>,
): Promise<Integration | undefined> {
  const integration = await findIntegrationRow(tx, { orgId, kind: 'tracker' }, 'for update')
  const isSharing =
    integration?.isShared === true && sharesWithOf(integration.provider) === provider
  return isSharing ? integration : undefined
}

/** Returns the name of the provider that shares the connection of another one; `undefined`: none does. */
export function findSharingName(
  provider: string,
  integrations: readonly Integration[],
): string | undefined {
  const sharing = integrations.find(
    (each) =>
      each.isShared && each.state !== 'disconnected' && sharesWithOf(each.provider) === provider,
  )
  return sharing && displayNameOf(sharing.provider)
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
