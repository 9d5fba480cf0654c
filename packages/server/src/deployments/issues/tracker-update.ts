import type { Caller } from '../../audit/caller.ts'
import type { ProviderAccount } from '../../providers/connector.ts'
import { Problem } from '@signalbox/contract'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { chooseAccount, explainTaken } from '../../integrations/connect/choose-account.ts'
import type { Integration } from '../../integrations/integration.ts'
import { notConnected, requireUsable } from '../../integrations/health/require-usable.ts'
import { findIntegrationRow, upsertIntegrationRow } from '../../integrations/rows.ts'
import type { Tx } from '../../store/store.ts'
import type { TrackerDeps } from './tracker-deps.ts'
import { requireProjects } from './tracker-projects.ts'
import { readTrackerSettings } from './tracker-status.ts'

/** Describes the choices of a person; those left out stay. */
export interface UpdateTracker {
  readonly siteId?: string | undefined
  /** Empty, like `null`: all projects of the site. */
  readonly projectKeys?: readonly string[] | null | undefined
}

/**
 * Chooses one of the granted sites, and the projects whose issues count. Either has the keys of recent deployments looked
 * at again.
 *
 * @throws {Problem} `validation_failed`, `integration_not_connected`, `reauth_required`, `integration_exists`, `provider_error`,
 *   `conflict`
 */
export async function updateTracker(
  deps: TrackerDeps,
  caller: Caller,
  { siteId, projectKeys }: UpdateTracker,
): Promise<Integration> {
  const { store } = deps
  const { orgId } = caller
  const before = await store.transaction({ orgId }, (tx) => find(tx, orgId))
  const site = findSite(before, siteId)
  let keys = projectKeys?.length === 0 ? null : projectKeys
  if (keys !== undefined && keys !== null) {
    if (site !== undefined) throw siteFirst()
    keys = await requireProjects(deps, before, keys)
  }
  const change = { site, projectKeys: keys && [...new Set(keys)] }
  const updated = await store
    .transaction(caller.scope, (tx) => apply(deps, tx, caller, { before, ...change }))
    .catch((error: unknown) => {
      throw explainTaken(error)
    })
  return updated
}

async function find(tx: Tx, orgId: string, lock: '' | 'for update' = ''): Promise<Integration> {
  const integration = await findIntegrationRow(tx, { orgId, kind: 'tracker' }, lock)
  return integration?.state === 'pending' ? integration : requireUsable(integration)
}

/** Returns the requested site, unless it is in use already. */
function findSite(
  integration: Integration,
  siteId: string | undefined,
): ProviderAccount | undefined {
  if (siteId === undefined || siteId === integration.account?.id) return undefined
  const { sites } = readTrackerSettings(integration)
  const site = sites.find(({ id }) => id === siteId)
  if (site !== undefined) return site
  const granted = sites.map(({ id, name }) => `${name} (${id})`).join(', ')
  throw invalid(
    '/siteId',
    `The integration has no access to this site. It has access to: ${granted}.`,
  )
}

function siteFirst(): Problem {
  return invalid('/projectKeys', 'Choose the site first, then its projects.')
}

function invalid(pointer: string, detail: string): Problem {
  const errors = [{ pointer, code: 'validation_failed', detail } as const]
  return new Problem('validation_failed', detail, { errors })
}

interface TrackerChange {
  /** Describes what the request was checked against. */
  readonly before: Integration
  readonly site: ProviderAccount | undefined
  readonly projectKeys: readonly string[] | null | undefined
}

async function apply(
  deps: TrackerDeps,
  tx: Tx,
  { orgId, author, request }: Caller,
  { before, site, projectKeys }: TrackerChange,
): Promise<Integration> {
  const now = await find(tx, orgId, 'for update')
  if (now.id !== before.id || now.account?.id !== before.account?.id) {
    throw new Problem('conflict', 'Somebody has changed the connection in the meantime. Reload it.')
  }
  if (site === undefined && projectKeys === undefined) return now
  // Projects are those of a site: of another one, none is chosen yet.
  const settings = { ...now.settings, projectKeys: projectKeys ?? null }
  const updated =
    site === undefined
      ? await storeSettings(deps, tx, { ...now, settings })
      : await choose(deps, tx, { integration: now, account: site, settings })
  const { id, provider, account } = updated
  recordAuditEvent(tx, {
    orgId,
    actor: author,
    action: 'integration.updated',
    target: { type: 'integration', id, name: provider },
    detail: { siteId: account?.id ?? null, projectKeys: settings.projectKeys },
    request,
  })
  return updated
}

async function storeSettings(
  { requestReread, now }: TrackerDeps,
  tx: Tx,
  integration: Integration,
): Promise<Integration> {
  await upsertIntegrationRow(tx, integration, now())
  const { orgId, id } = integration
  await requestReread(tx, { orgId, id })
  return integration
}

async function choose(
  deps: TrackerDeps,
  tx: Tx,
  of: Pick<Parameters<typeof chooseAccount>[2], 'integration' | 'account' | 'settings'>,
): Promise<Integration> {
  const connector = deps.connectorOf('tracker', of.integration.provider)
  if (connector === undefined) throw notConnected()
  return chooseAccount(deps, tx, { ...of, connector })
}
