import type { Jobs } from '../../jobs/jobs.ts'
import type { CodehostApi } from '../../providers/codehost.ts'
import type { HookReport } from '../../providers/codehosts/hooks.ts'
import { connectionWebhookUrl, findConnectionSender } from '../../providers/find-provider.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { ConnectorOf } from '../connect/connectors.ts'
import { missingScopes, stateOf } from '../connect/keep-connection.ts'
import { findSharing } from '../connect/share-connection.ts'
import { isUsable, type Integration } from '../integration.ts'
import { findIntegrationRow, listEndedIntegrations, upsertIntegrationRow } from '../rows.ts'
import { releaseHookLease, takeHookLease } from './webhook-rows.ts'
import {
  keepConnectionHooks,
  keepFirstSecrets,
  readConnectionHooks,
  type ConnectionHooks,
  type WebhookSecretsDeps,
} from './webhook-secrets.ts'

/** Describes what installing webhooks needs. */
export interface InstallHooksDeps extends Pick<WebhookSecretsDeps, 'keys'> {
  readonly store: Pick<Store, 'transaction'>
  readonly jobs: Pick<Jobs, 'nodeId'>
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
  /** Called after each repository, with how many are done. */
  readonly onProgress?: (done: number) => Promise<void>
}

/**
 * Describes how installing webhooks ended.
 *
 * - `none`: the host has one webhook for all repositories, or the connection may not make any, or it has ended.
 * - `busy`: another caller is at it, on this node or another one.
 * - `done`: they stand, but for what `problem` says.
 */
export type HooksOutcome =
  | { readonly outcome: 'none' | 'busy' }
  | { readonly outcome: 'done'; readonly problem: string | null }

const minuteMs = 60_000

/** Returns when webhooks are looked at again: soon while something is wrong with them, hourly at least. */
function nextCheckAfter(now: Date, problem: string | null): Date {
  return new Date(now.getTime() + (problem === null ? 60 : 10) * minuteMs)
}

/**
 * Makes the code host send webhooks of exactly these repositories to the address of the connection, and none to that of an earlier one
 * which has ended, and records what is wrong with them as its state. Only one caller at a time does that for a connection: two would make two webhooks. It is safe to repeat.
 *
 * @throws {ProviderError} when the host does not answer.
 */
export async function installHooks(
  deps: InstallHooksDeps,
  install: InstallHooks,
): Promise<HooksOutcome> {
  const { hooks: calls } = install.api
  if (calls === undefined) return { outcome: 'none' }
  const work = await begin(deps, install, calls)
  if (typeof work === 'string') return { outcome: work }
  const { repositoryIds, onProgress } = install
  let report: HookReport
  try {
    report = await calls.install({
      ...work,
      repositoryIds,
      ...(onProgress !== undefined && { onProgress }),
    })
  } catch (error) {
    await release(deps, install, work)
    throw error
  }
  return finish(deps, install, { ...work, ...report })
}

interface HookWork extends ConnectionHooks {
  readonly url: string
  readonly formerPaths: readonly string[]
  readonly withIssues: boolean
  readonly fence: number
}

/** Takes the lease. The secrets are stored before a webhook is made with them. */
async function begin(
  deps: InstallHooksDeps,
  install: InstallHooks,
  calls: NonNullable<CodehostApi['hooks']>,
): Promise<HookWork | 'none' | 'busy'> {
  const { store, jobs, publicUrl, now } = deps
  const { orgId, integrationId } = install
  const ref = { orgId, integrationId }
  return store.transaction({ orgId }, async (tx) => {
    // The lock keeps two first callers from storing two kinds of secrets.
    const integration = await findCurrent(tx, install)
    const provider = integration && findConnectionSender(integration.provider)
    if (integration === undefined || provider === undefined) return 'none'
    let known = await readConnectionHooks(deps, tx, ref)
    if (known === undefined) {
      known = { secrets: calls.newSecrets(), hooks: [] }
      await keepFirstSecrets(deps, tx, { ...ref, secrets: known.secrets, now: now() })
    }
    const fence = await takeHookLease(tx, ref, jobs.nodeId)
    if (fence === undefined) return 'busy'
    const url = connectionWebhookUrl(provider, publicUrl(), integrationId)
    const withIssues = (await findSharing(tx, integration)) !== undefined
    const former = await listEndedIntegrations(tx, integration)
    const formerPaths = former.map(
      (id) => new URL(connectionWebhookUrl(provider, publicUrl(), id)).pathname,
    )
    return { ...known, fence, url, formerPaths, withIssues }
  })
}

async function release(
  { store, now }: InstallHooksDeps,
  { orgId, integrationId }: InstallHooks,
  { fence }: HookWork,
): Promise<void> {
  const nextCheckAt = new Date(now().getTime() + 10 * minuteMs)
  await store.transaction({ orgId }, (tx) =>
    releaseHookLease(tx, { orgId, integrationId }, { fence, nextCheckAt }),
  )
}

async function finish(
  deps: InstallHooksDeps,
  install: InstallHooks,
  { fence, secrets, hooks, problem }: HookWork & HookReport,
): Promise<HooksOutcome> {
  const { orgId, integrationId } = install
  const at = deps.now()
  return deps.store.transaction({ orgId }, async (tx) => {
    const integration = await findCurrent(tx, install)
    // The revocation of a connection that has ended meanwhile removes what is stored here.
    const isKept = await keepConnectionHooks(deps, tx, {
      orgId,
      integrationId,
      secrets,
      hooks,
      fence,
      nextCheckAt: nextCheckAfter(at, problem),
      now: at,
    })
    if (integration === undefined) return { outcome: 'none' }
    if (!isKept) return { outcome: 'busy' }
    await keepProblem(deps, tx, integration, problem)
    return { outcome: 'done', problem }
  })
}

async function findCurrent(
  tx: Tx,
  { orgId, integrationId }: Pick<InstallHooks, 'orgId' | 'integrationId'>,
): Promise<Integration | undefined> {
  const integration = await findIntegrationRow(tx, { orgId, kind: 'codehost' }, 'for update')
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
