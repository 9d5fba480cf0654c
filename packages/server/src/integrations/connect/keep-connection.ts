import type { IntegrationKind } from '@signalbox/contract/rest'
import type { AuditRequest, Author } from '../../audit/audit-event.ts'
import { makerOf } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { newId } from '../../crypto/ids.ts'
import type { LostRight } from '../../identity/members/hold-admin.ts'
import type { Grant } from '../../providers/grant.ts'
import type { Tx } from '../../store/store.ts'
import type { Connected, Connector, ProviderAccount } from '../../providers/connector.ts'
import {
  deleteCredentialRow,
  findCredentialRow,
  putCredentialRow,
} from '../grants/credential-rows.ts'
import type { IntegrationDeps } from '../integration-deps.ts'
import type { Integration } from '../integration.ts'
import {
  findIntegrationRow,
  isAccountTaken,
  listIntegrationRows,
  upsertIntegrationRow,
} from '../rows.ts'
import { sealGrant } from '../grants/sealed-grant.ts'
import { carrySettings } from './carry-settings.ts'
import { storeDisconnected } from './store-disconnected.ts'

/** Names why a connection is not kept. `account_taken`: another organization has the account. `other_account`: this one has another account of the kind. */
export type KeepRejection = 'account_taken' | 'other_account' | LostRight

/** Says what is kept of a connection. */
export interface KeepConnection {
  readonly orgId: string
  /** The person who connects; `null`: a script does. */
  readonly userId: string | null
  readonly kind: IntegrationKind
  readonly connector: Pick<Connector, 'provider' | 'wantedScopes' | 'isSameAccount' | 'way'>
  readonly connected: Connected
  /**
   * Returns the right that the person who connects has lost, and holds what they have until the transaction ends. The exchange of
   * the code took seconds, in which their role, their session or the organization may have ended.
   */
  readonly holdAdmin: (tx: Tx) => Promise<LostRight | undefined>
  readonly author: Author
  readonly request: AuditRequest
}

/**
 * Stores what was granted, with the event, in one transaction. Returns `undefined` once it is stored. If the person has
 * lost the right to connect in the meantime, it ends the grant at the provider.
 */
export async function keepConnection(
  deps: IntegrationDeps,
  keep: KeepConnection,
): Promise<KeepRejection | undefined> {
  const { store, now } = deps
  const { orgId, userId, kind } = keep
  const at = now()
  return store.transaction({ orgId, userId }, async (tx) => {
    const lost = await keep.holdAdmin(tx)
    const former = await findIntegrationRow(tx, { orgId, kind }, 'for update')
    const connected = keepChoice(keep.connected, former)
    const chosen = { ...keep, connected }
    if (lost !== undefined) {
      // A member's own values grant nothing that could be ended, and neither does a shared connection.
      if (keep.connector.way !== 'form' && keep.connector.way !== 'shared')
        await endGranted(deps, tx, chosen, former)
      return lost
    }
    const rejection = await findRejection(tx, chosen, former)
    if (rejection !== undefined) return rejection
    const integration = {
      ...toIntegration(chosen, former, at),
      settings: await settingsOf(tx, chosen, former),
    }
    await upsertIntegrationRow(tx, integration, at)
    if (connected.grant === null) {
      await deleteCredentialRow(tx, { orgId, integrationId: integration.id })
    } else {
      await storeGrant(deps, tx, integration, connected.grant)
    }
    await announceConnection(deps, tx, chosen, integration)
    return undefined
  })
}

/** Has the provider end what was granted, unless an organization uses the account: its access is the same one. */
async function endGranted(
  deps: IntegrationDeps,
  tx: Tx,
  keep: KeepConnection,
  former: Integration | undefined,
): Promise<void> {
  const { orgId, connector, connected } = keep
  const { account, grant } = connected
  if (account === undefined || account.id === former?.account?.id) return
  if (await isAccountTaken(tx, connector.provider, account.id, orgId)) return
  const integration = toIntegration(keep, undefined, deps.now())
  await storeDisconnected(deps, tx, { integration, grant })
}

/** Keeps the account that was chosen before, as long as it is among several that were granted. */
function keepChoice(connected: Connected, former: Integration | undefined): Connected {
  const { account, choices } = connected
  return { ...connected, account: account ?? choices.find(({ id }) => id === former?.account?.id) }
}

async function findRejection(
  tx: Tx,
  { orgId, connector, connected: { account } }: KeepConnection,
  former: Integration | undefined,
): Promise<KeepRejection | undefined> {
  if (account === undefined) return undefined
  const held = former?.account ?? null
  if (held !== null && held.id !== account.id && !isSameAgain(connector, former, account)) {
    return 'other_account'
  }
  const isTaken = await isAccountTaken(tx, connector.provider, account.id, orgId)
  return isTaken ? 'account_taken' : undefined
}

/** An account whose access ended may come back under another id. */
function isSameAgain(
  { provider, isSameAccount }: KeepConnection['connector'],
  former: Integration | undefined,
  account: ProviderAccount,
): boolean {
  if (former?.provider !== provider || former.state !== 'reauth_required') return false
  return former.account !== null && isSameAccount?.(former.account, account) === true
}

function toIntegration(
  keep: KeepConnection,
  former: Integration | undefined,
  at: Date,
): Integration {
  const { orgId, kind, connector, connected } = keep
  const { account, scopes } = connected
  const missing = missingScopes(connector, scopes)
  return {
    orgId,
    id: former?.id ?? newId('int', at),
    kind,
    provider: connector.provider,
    isShared: connector.way === 'shared',
    ...stateOf(account !== undefined, missing),
    account: account ?? null,
    scopes,
    settings: connected.settings,
    connectedAt: at,
    connectedBy: makerOf(keep),
    reconnectBefore: connected.reconnectBefore,
    lastOkAt: at,
    lastError: null,
    renewalRetryAt: null,
    revocation: null,
    revision: former?.revision ?? 1,
  }
}

/** Returns the settings that a member need not choose again, and those that came with the connection. */
async function settingsOf(
  tx: Tx,
  { orgId, kind, connector, connected }: KeepConnection,
  former: Integration | undefined,
): Promise<Integration['settings']> {
  const { account, settings } = connected
  // A connection that is renewed keeps what it has, also where an account came back under another id.
  if (former?.provider === connector.provider) return { ...former.settings, ...settings }
  const before = former ?? (await listIntegrationRows(tx, orgId)).find((row) => row.kind === kind)
  return { ...carrySettings(before, { ...connector, account }), ...settings }
}

/** Returns the scopes that were requested and not granted. */
export function missingScopes(
  { wantedScopes }: Pick<Connector, 'wantedScopes'>,
  scopes: readonly string[],
): string[] {
  return Object.keys(wantedScopes).filter((scope) => !scopes.includes(scope))
}

/** Returns the state of an integration once it was granted. */
export function stateOf(
  isChosen: boolean,
  missing: readonly string[],
): Pick<Integration, 'state' | 'stateReason'> {
  if (!isChosen) {
    return { state: 'pending', stateReason: 'Several accounts were granted. Choose one.' }
  }
  return missing.length === 0
    ? { state: 'connected', stateReason: null }
    : { state: 'degraded', stateReason: `Missing permissions: ${missing.join(', ')}.` }
}

async function storeGrant(
  { keys, now }: IntegrationDeps,
  tx: Tx,
  { orgId, id }: Integration,
  grant: Grant,
): Promise<void> {
  const ref = { orgId, integrationId: id }
  const former = await findCredentialRow(tx, ref)
  const generation = (former?.generation ?? 0) + 1
  const sealed = sealGrant(await keys.getSealer(tx, orgId), { ...ref, generation }, grant)
  const { accessExpiresAt, refreshExpiresAt } = grant
  await putCredentialRow(tx, ref, { generation, sealed, accessExpiresAt, refreshExpiresAt }, now())
}

async function announceConnection(
  { emit }: IntegrationDeps,
  tx: Tx,
  { orgId, kind, connector, author, request }: KeepConnection,
  { id, state, scopes, account }: Integration,
): Promise<void> {
  if (account !== null) await emit(tx, `${kind}.connected`, { orgId, id })
  recordAuditEvent(tx, {
    orgId,
    actor: author,
    action: 'integration.connected',
    target: { type: 'integration', id, name: connector.provider },
    detail: { state, missingScopes: missingScopes(connector, scopes) },
    request,
  })
}
