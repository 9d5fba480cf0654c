import { systemAuthor } from '../audit/audit-event.ts'
import { recordAuditEvent } from '../audit/record-event.ts'
import type { Emit } from '../jobs/emit.ts'
import type { GithubInstallation } from '../providers/github/installations.ts'
import { createGithubInstallations } from '../providers/github/installations.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { Store, Tx } from '../store/store.ts'
import type { Connector } from './connector.ts'
import type { IntegrationEvent } from './integration-deps.ts'
import type { Integration } from './integration.ts'
import { missingScopes, stateOf } from './keep-connection.ts'
import type { ProviderGate } from './provider-apps.ts'
import { findIntegrationRow, upsertIntegrationRow } from './rows.ts'

export interface InstallationDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly gate: ProviderGate
  readonly connectorOf: (kind: 'codehost') => Pick<Connector, 'wantedScopes'> | undefined
  readonly emit: Emit<IntegrationEvent>
}

/** The states that follow from how the installation stands. */
const followed: ReadonlySet<Integration['state']> = new Set([
  'connected',
  'degraded',
  'suspended',
  'reauth_required',
])

/** What is true of an installation. `gone`: the App is not installed there any more. */
type Standing = GithubInstallation | 'gone'

/**
 * Asks GitHub how the installation of an integration stands, and notes it: suspended or not, and what it may do. `ifGone`
 * says what becomes of the integration when there is none any more. Answers the state that it is in then; `undefined` when it is not in
 * use any more.
 *
 * @throws {ProviderError} when GitHub does not say.
 */
export async function refreshInstallation(
  deps: InstallationDeps,
  integration: Pick<Integration, 'orgId' | 'id' | 'account'>,
  ifGone: 'disconnected' | 'reauth_required',
): Promise<Integration['state'] | undefined> {
  const { orgId, id, account } = integration
  if (account === null) return undefined
  const standing = await readStanding(deps, account.id)
  if (standing === undefined) return undefined
  const { store, gate, emit } = deps
  const state = await store.transaction({ orgId }, async (tx) => {
    const before = await findIntegrationRow(tx, { orgId, kind: 'codehost' }, 'for update')
    // Disconnected, or connected anew, since it was asked.
    if (before?.id !== id || before.account?.id !== account.id) return undefined
    if (!followed.has(before.state)) return before.state
    const after =
      standing === 'gone'
        ? withoutInstallation(before, ifGone, gate.now())
        : merge(deps, before, standing)
    if (JSON.stringify(after) === JSON.stringify(before)) return after.state
    await upsertIntegrationRow(tx, after, gate.now())
    await tell({ emit }, tx, before, after)
    return after.state
  })
  return state
}

/** `undefined`: this server has no App that could ask. */
async function readStanding(
  { gate }: InstallationDeps,
  accountId: string,
): Promise<Standing | undefined> {
  const { addresses, egress, now } = gate
  const app = gate.apps().github
  if (app === undefined) return undefined
  const call = { provider: 'github', egress, now } as const
  try {
    return await createGithubInstallations({ call, apiUrl: addresses.githubApi, app }).get(
      accountId,
    )
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'notFound') return 'gone'
    throw error
  }
}

function merge(
  { connectorOf }: InstallationDeps,
  before: Integration,
  { accountName, accountUrl, scopes, isSuspended }: GithubInstallation,
): Integration {
  const { account } = before
  const named = account && { ...account, name: accountName, url: accountUrl }
  const after = { ...before, account: named, scopes }
  if (isSuspended) {
    return { ...after, state: 'suspended', stateReason: 'The installation is suspended at GitHub.' }
  }
  const connector = connectorOf('codehost')
  const missing = connector === undefined ? [] : missingScopes(connector, scopes)
  return { ...after, ...stateOf(true, missing) }
}

function withoutInstallation(
  before: Integration,
  state: 'disconnected' | 'reauth_required',
  at: Date,
): Integration {
  const detail = 'The App was uninstalled at GitHub.'
  const revocation = { state: 'revoked', detail, url: null, at: at.toISOString() } as const
  return state === 'disconnected'
    ? { ...before, state, stateReason: null, revocation }
    : { ...before, state, stateReason: detail }
}

const actions = {
  disconnected: 'integration.disconnected',
  reauth_required: 'integration.reauth_required',
} as const

async function tell(
  { emit }: Pick<InstallationDeps, 'emit'>,
  tx: Tx,
  before: Integration,
  after: Integration,
): Promise<void> {
  const { orgId, id, provider, state } = after
  const isLost = state === 'disconnected' || state === 'reauth_required'
  if (state !== before.state) {
    const needsSomebody = isLost || state === 'suspended'
    // What happened meanwhile is fetched, as after connecting.
    await emit(tx, needsSomebody ? 'integration.attention' : 'codehost.connected', { orgId, id })
  }
  recordAuditEvent(tx, {
    orgId,
    actor: systemAuthor,
    action: isLost ? actions[state] : 'integration.updated',
    target: { type: 'integration', id, name: provider },
    detail: { state, scopes: after.scopes },
  })
}
