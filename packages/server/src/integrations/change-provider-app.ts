import type { IntegrationProvider } from '@signalbox/contract/rest'
import {
  serverChain,
  type AuditAction,
  type AuditRequest,
  type Author,
} from '../audit/audit-event.ts'
import { recordMaintenanceEvent } from '../audit/record-event.ts'
import type { Store, Tx } from '../store/store.ts'
import type { ServerKeys } from '../vault/server-keys.ts'
import type { ProviderAppsFeed } from './create-provider-apps.ts'
import type { PresentAppDeps, ShownApp } from './present-provider-app.ts'
import type { StoredApp } from './provider-app.ts'
import { lockProviderAppRow, putProviderAppRow } from './provider-app-rows.ts'
import { findApp, sealApp } from './sealed-app.ts'

export interface ProviderAppDeps extends PresentAppDeps {
  readonly store: Pick<Store, 'maintenance' | 'announce'>
  readonly keys: ServerKeys
  readonly feed: Pick<ProviderAppsFeed, 'refresh'>
}

/** Whoever runs the server, and from where. */
export interface OperatorCaller {
  readonly author: Author
  readonly request: AuditRequest
}

/** What becomes of a stored application. */
export interface AppChange {
  readonly app: StoredApp
  readonly action: AuditAction
  /** Names of fields, never values. */
  readonly detail?: Readonly<Record<string, unknown>>
}

/**
 * Replaces what is stored of a provider by what `decide` makes of it, with an event in the chain of the server, and tells
 * every node. `decide` answers `undefined` where there is nothing to change, or throws.
 *
 * @throws {Problem} `sealed`
 */
export async function changeProviderApp(
  deps: ProviderAppDeps,
  { author, request }: OperatorCaller,
  provider: IntegrationProvider,
  decide: (stored: StoredApp | undefined) => AppChange | undefined,
): Promise<ShownApp> {
  const shown = await deps.store.maintenance(async (tx) => {
    const row = await lockProviderAppRow(tx, provider)
    const sealer = await deps.keys.getSealer(tx)
    const stored = findApp(sealer, row)
    const change = decide(stored)
    if (change === undefined) return { provider, app: stored, row }
    const { app, action, detail } = change
    const sealed = sealApp(sealer, app)
    const next = { provider, sealed, updatedAt: deps.now(), updatedBy: author }
    await putProviderAppRow(tx, next)
    recordAppEvent(tx, { author, request }, { provider, action, ...(detail && { detail }) })
    return { provider, app, row: next }
  })
  await publishApps(deps)
  return shown
}

/** Appends to the chain of the server: an application is of no organization. */
export function recordAppEvent(
  tx: Tx,
  { author, request }: OperatorCaller,
  event: {
    readonly provider: IntegrationProvider
    readonly action: AuditAction
    readonly detail?: Readonly<Record<string, unknown>>
  },
): void {
  const { provider, action, detail = {} } = event
  recordMaintenanceEvent(tx, {
    orgId: serverChain,
    actor: author,
    action,
    target: { type: 'provider_app', id: provider, name: provider },
    detail,
    request,
  })
}

/** This node knows the change with the answer, the others a moment later. */
export async function publishApps({
  store,
  feed,
}: Pick<ProviderAppDeps, 'store' | 'feed'>): Promise<void> {
  store.announce('providers')
  // It is committed, so the answer is good: what cannot be read now is read with the next look.
  await feed.refresh().catch(() => undefined)
}
