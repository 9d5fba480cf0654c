import type { Caller } from '../../audit/caller.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { listEnvironmentRows } from '../../configs/environments/environment-rows.ts'
import { notConnected } from '../../integrations/health/require-usable.ts'
import { requireChosenTests } from './require-chosen-tests.ts'
import type { Integration } from '../../integrations/integration.ts'
import { findIntegrationRow } from '../../integrations/rows.ts'
import { writeIntegrationSettings } from '../../integrations/settings-rows.ts'
import type { Tx } from '../../store/store.ts'
import { checkReferences, type CodehostChoices } from './codehost-choices.ts'
import { listShownRepositories, trackRepositories } from './codehost-rows.ts'
import { parseCodehostSettings, readCodehost, type CodehostView } from './codehost-status.ts'
import { refreshEnvironmentsQueue } from '../environments/refresh-environments.ts'
import { requestHooks } from '../sync/hooks-queue.ts'
import { beginSync } from '../sync/start-sync.ts'
import type { SyncDeps } from '../sync/sync-work.ts'

type Deps = Pick<SyncDeps, 'store' | 'jobs' | 'now'>

/**
 * Changes which repositories count, which environment here each environment of the host is, and which workflows test a
 * deployment. A job maps recorded deployments by the new rules, and a sync fetches what happened in a repository before
 * it counted.
 *
 * @throws {Problem} `integration_not_connected`, `validation_failed`, `key_scope_forbidden`
 */
export async function updateCodehost(
  deps: Deps,
  caller: Caller,
  choices: CodehostChoices,
): Promise<CodehostView> {
  const { orgId, scope } = caller
  const view = await deps.store.transaction(scope, async (tx) => {
    const integration = await requireConnected(tx, orgId)
    await requireKnown(tx, integration, choices)
    requireChosenTests(caller, parseCodehostSettings(integration.settings), choices)
    await keepSettings(deps, tx, integration, choices)
    const added = await trackRepositories(tx, orgId, choices.repositories ?? [])
    if (added.length > 0) await beginSync(deps, tx, orgId, 'full')
    if (choices.repositories !== undefined) await requestHooks(deps.jobs, tx, orgId)
    if (choices.environmentMap !== undefined) {
      await deps.jobs.enqueue(tx, refreshEnvironmentsQueue, { orgId, id: orgId }, { key: orgId })
    }
    recordAuditEvent(tx, {
      orgId,
      actor: caller.author,
      request: caller.request,
      action: 'integration.updated',
      target: { type: 'integration', id: integration.id, name: integration.provider },
      detail: { fields: fieldsOf(choices) },
    })
    return readCodehost(tx, orgId)
  })
  return view
}

async function requireConnected(tx: Tx, orgId: string): Promise<Integration> {
  const integration = await findIntegrationRow(tx, { orgId, kind: 'codehost' }, 'for update')
  const isThere = integration !== undefined && integration.account !== null
  if (!isThere || integration.state === 'disconnecting') throw notConnected(integration)
  return integration
}

async function requireKnown(
  tx: Tx,
  { orgId, provider }: Integration,
  choices: CodehostChoices,
): Promise<void> {
  const environments = await listEnvironmentRows(tx, orgId)
  const repositories = await listShownRepositories(tx, orgId)
  checkReferences(choices, {
    environmentIds: new Set(environments.map(({ id }) => id)),
    repositoryIds: new Set(repositories.map(({ externalId }) => externalId)),
    provider,
  })
}

async function keepSettings(
  { now }: Deps,
  tx: Tx,
  { orgId, id, settings: stored }: Integration,
  { repositories: _repositories, ...choices }: CodehostChoices,
): Promise<void> {
  const chosen = Object.entries(choices).filter(([, value]) => value !== undefined)
  if (chosen.length === 0) return
  const settings = {
    ...stored,
    ...parseCodehostSettings(stored),
    ...Object.fromEntries(chosen),
  }
  await writeIntegrationSettings(tx, orgId, { integrationId: id, settings, now: now() })
}

function fieldsOf({
  repositories,
  environmentMap,
  testWorkflows,
  keyWorkflows,
}: CodehostChoices): string[] {
  return Object.entries({ repositories, environmentMap, testWorkflows, keyWorkflows })
    .filter(([, value]) => value !== undefined)
    .map(([field]) => field)
}
