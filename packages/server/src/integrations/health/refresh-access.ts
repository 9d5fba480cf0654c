import { systemAuthor } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { Emit } from '../../jobs/emit.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { AccountStanding, Connector } from '../../providers/connector.ts'
import { connectorOfIntegration, type ConnectorOf } from '../connect/connectors.ts'
import type { IntegrationEvent } from '../integration-deps.ts'
import type { Integration } from '../integration.ts'
import { missingScopes, stateOf } from '../connect/keep-connection.ts'
import { findIntegrationRow, upsertIntegrationRow } from '../rows.ts'

/** Lists what following the access to an account needs. */
export interface AccessDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly connectorOf: ConnectorOf
  readonly emit: Emit<IntegrationEvent>
  readonly now: () => Date
}

/** Lists the states that the state of the account decides. */
const followed: ReadonlySet<Integration['state']> = new Set([
  'connected',
  'degraded',
  'suspended',
  'reauth_required',
])

/**
 * Reads the account of an integration at the provider, and stores whether it is suspended and what it may do. `ifGone` is the
 * integration's new state when the access has ended there. Returns its state; `undefined` when it is not in use any more, or
 * its provider offers no such call.
 *
 * @throws {ProviderError} when the provider does not answer.
 */
export async function refreshAccess(
  deps: AccessDeps,
  integration: Pick<Integration, 'orgId' | 'id' | 'kind' | 'provider' | 'isShared' | 'account'>,
  ifGone: 'disconnected' | 'reauth_required',
): Promise<Integration['state'] | undefined> {
  const { orgId, id, kind, account } = integration
  const connector = connectorOfIntegration(deps.connectorOf, integration)
  if (account === null || connector?.readStanding === undefined) return undefined
  const standing = await connector.readStanding(account.id)
  const { store, emit, now } = deps
  return store.transaction({ orgId }, async (tx) => {
    const before = await findIntegrationRow(tx, { orgId, kind }, 'for update')
    // The integration was disconnected, or connected again, during the call.
    if (before?.id !== id || before.account?.id !== account.id) return undefined
    if (!followed.has(before.state)) return before.state
    const after =
      standing.standing === 'gone'
        ? withoutAccess(before, { state: ifGone, detail: standing.reason, at: now() })
        : withAccess(connector, before, standing)
    if (JSON.stringify(after) === JSON.stringify(before)) return after.state
    await upsertIntegrationRow(tx, after, now())
    await announce({ emit }, tx, before, after)
    return after.state
  })
}

function withAccess(
  connector: Connector,
  before: Integration,
  standing: Exclude<AccountStanding, { readonly standing: 'gone' }>,
): Integration {
  const { name, url, scopes } = standing.access
  const account = before.account && { ...before.account, name, url }
  const after = { ...before, account, scopes }
  if (standing.standing === 'suspended') {
    return { ...after, state: 'suspended', stateReason: standing.reason }
  }
  return { ...after, ...stateOf(true, missingScopes(connector, scopes)) }
}

function withoutAccess(
  before: Integration,
  {
    state,
    detail,
    at,
  }: {
    readonly state: 'disconnected' | 'reauth_required'
    readonly detail: string
    readonly at: Date
  },
): Integration {
  const revocation = { state: 'revoked', detail, url: null, at: at.toISOString() } as const
  return state === 'disconnected'
    ? { ...before, state, stateReason: null, revocation }
    : { ...before, state, stateReason: detail }
}

const actions = {
  disconnected: 'integration.disconnected',
  reauth_required: 'integration.reauth_required',
} as const

async function announce(
  { emit }: Pick<AccessDeps, 'emit'>,
  tx: Tx,
  before: Integration,
  after: Integration,
): Promise<void> {
  const { orgId, id, kind, provider, state } = after
  const isLost = state === 'disconnected' || state === 'reauth_required'
  if (state !== before.state) {
    const needsSomebody = isLost || state === 'suspended'
    // The events of the meantime are fetched, as after connecting.
    await emit(tx, needsSomebody ? 'integration.attention' : `${kind}.connected`, { orgId, id })
  }
  recordAuditEvent(tx, {
    orgId,
    actor: systemAuthor,
    action: isLost ? actions[state] : 'integration.updated',
    target: { type: 'integration', id, name: provider },
    detail: { state, scopes: after.scopes },
  })
}
