import { makerOf } from '../../audit/author.ts'
import type { Sender } from '../../audit/caller.ts'
import { serverChain, type AuditAction } from '../../audit/audit-event.ts'
import { recordMaintenanceEvent } from '../../audit/record-event.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { ServerKeys } from '../../vault/server-keys.ts'
import type { ProviderAppsFeed } from './create-provider-apps.ts'
import type { PresentAppDeps, ShownApp } from './present-provider-app.ts'
import type { StoredApplication } from './stored-application.ts'
import { lockProviderAppRow, putProviderAppRow } from './provider-app-rows.ts'
import { findApp, sealApp } from './sealed-app.ts'

/** Lists what changing the applications of this server needs. */
export interface ProviderAppDeps extends PresentAppDeps {
  readonly store: Pick<Store, 'maintenance' | 'announce'>
  readonly keys: ServerKeys
  readonly feed: Pick<ProviderAppsFeed, 'refresh'>
}

/** Describes the change of a stored application. */
export interface AppChange {
  readonly application: StoredApplication
  readonly action: AuditAction
  /** Names of fields, never values. */
  readonly detail?: Readonly<Record<string, unknown>>
}

/**
 * Replaces what is stored of a provider by what `decide` makes of it, with an event in the chain of the server, and tells
 * every node. `decide` returns `undefined` where there is nothing to change, or throws.
 *
 * @throws {Problem} `sealed`
 */
export async function changeProviderApp(
  deps: ProviderAppDeps,
  { author, request }: Sender,
  provider: Provider,
  decide: (stored: StoredApplication | undefined) => AppChange | undefined,
): Promise<ShownApp> {
  const result = await deps.store.maintenance(async (tx) => {
    const row = await lockProviderAppRow(tx, provider.name)
    const sealer = await deps.keys.getSealer(tx)
    const stored = findApp(sealer, provider, row)
    const change = decide(stored)
    if (change === undefined) return { provider, application: stored, row }
    const { application, action, detail } = change
    const sealed = sealApp(sealer, provider, application)
    const updatedBy = makerOf({ author, request })
    const next = { provider: provider.name, sealed, updatedAt: deps.now(), updatedBy }
    await putProviderAppRow(tx, next)
    recordAppEvent(tx, { author, request }, { provider, action, ...(detail && { detail }) })
    return { provider, application, row: next }
  })
  await publishApps(deps)
  return result
}

/** Appends to the chain of the server: an application is of no organization. */
export function recordAppEvent(
  tx: Tx,
  { author, request }: Sender,
  event: {
    readonly provider: Provider
    readonly action: AuditAction
    readonly detail?: Readonly<Record<string, unknown>>
  },
): void {
  const { action, detail = {} } = event
  const { name } = event.provider
  recordMaintenanceEvent(tx, {
    orgId: serverChain,
    actor: author,
    action,
    target: { type: 'provider_app', id: name, name },
    detail,
    request,
  })
}

/** Announces a change: this node knows it with the answer, the others a moment later. */
export async function publishApps({
  store,
  feed,
}: Pick<ProviderAppDeps, 'store' | 'feed'>): Promise<void> {
  store.announce('providers')
  // It is committed, so the answer is good: what cannot be read now is read with the next look.
  await feed.refresh().catch(() => undefined)
}
