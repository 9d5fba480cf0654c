import type { CodehostApi } from '../../providers/codehost.ts'
import { connectionWebhookUrl, findConnectionSender } from '../../providers/find-provider.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { ConnectorOf } from '../connect/connectors.ts'
import { missingScopes, stateOf } from '../connect/keep-connection.ts'
import { isUsable, type Integration } from '../integration.ts'
import { findIntegrationRow, upsertIntegrationRow } from '../rows.ts'
import {
  keepConnectionHooks,
  readConnectionHooks,
  type WebhookSecretsDeps,
} from './webhook-secrets.ts'

/** Describes what installing webhooks needs. */
export interface InstallHooksDeps extends Pick<WebhookSecretsDeps, 'keys'> {
  readonly store: Pick<Store, 'transaction'>
  readonly connectorOf: ConnectorOf
  /** Where providers reach this server. */
  readonly publicUrl: () => string
  readonly now: () => Date
}

/** Says which webhooks a connection is to have. */
export interface InstallHooks {
  readonly orgId: string
  readonly integrationId: string
  readonly api: Pick<CodehostApi, 'hooks'>
  readonly repositoryIds: readonly string[]
}

/**
 * Makes the code host send webhooks of exactly these repositories to the address of the connection, and records what is wrong with
 * them as its state. Does nothing at a host whose application has one webhook for all. It is safe to repeat.
 *
 * @throws {ProviderError} when the host does not answer.
 */
export async function installHooks(deps: InstallHooksDeps, install: InstallHooks): Promise<void> {
  const { store, publicUrl, now } = deps
  const { orgId, integrationId, repositoryIds } = install
  const { hooks: calls } = install.api
  if (calls === undefined) return
  const ref = { orgId, integrationId }
  const start = await store.transaction({ orgId }, async (tx) => {
    const integration = await findCurrent(tx, install)
    const provider = integration && findConnectionSender(integration.provider)
    if (provider === undefined) return undefined
    const url = connectionWebhookUrl(provider, publicUrl(), integrationId)
    const known = await readConnectionHooks(deps, tx, ref)
    if (known !== undefined) return { url, ...known }
    const fresh = { secrets: calls.newSecrets(), hooks: [] }
    await keepConnectionHooks(deps, tx, { ...ref, ...fresh, now: now() })
    return { url, ...fresh }
  })
  if (start === undefined) return
  const { secrets, hooks, problem } = await calls.install({ ...start, repositoryIds })
  await store.transaction({ orgId }, async (tx) => {
    const integration = await findCurrent(tx, install, 'for update')
    if (integration === undefined) return
    await keepConnectionHooks(deps, tx, { ...ref, secrets, hooks, now: now() })
    await keepProblem(deps, tx, integration, problem)
  })
}

async function findCurrent(
  tx: Tx,
  { orgId, integrationId }: Pick<InstallHooks, 'orgId' | 'integrationId'>,
  lock: '' | 'for update' = '',
): Promise<Integration | undefined> {
  const integration = await findIntegrationRow(tx, { orgId, kind: 'codehost' }, lock)
  return integration?.id === integrationId && isUsable(integration) ? integration : undefined
}

/** Shows what is wrong with the webhooks beside the missing permissions. */
async function keepProblem(
  { connectorOf, now }: InstallHooksDeps,
  tx: Tx,
  integration: Integration,
  problem: string | null,
): Promise<void> {
  const connector = connectorOf(integration.kind, integration.provider)
  if (connector === undefined) return
  const granted = stateOf(true, missingScopes(connector, integration.scopes))
  const reasons = [granted.stateReason, problem].filter((reason) => reason !== null)
  const state = problem === null ? granted.state : 'degraded'
  const stateReason = reasons.length === 0 ? null : reasons.join(' ')
  if (integration.state === state && integration.stateReason === stateReason) return
  await upsertIntegrationRow(tx, { ...integration, state, stateReason }, now())
}
