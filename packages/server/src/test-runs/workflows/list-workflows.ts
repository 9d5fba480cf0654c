import type { RestrictedCaller } from '../../audit/caller.ts'
import {
  listTrackedRepositories,
  type TrackedRepository,
} from '../../deployments/codehost/tracked-repository-rows.ts'
import { isFullSyncRunning } from '../../deployments/sync/sync-rows.ts'
import { askProvider } from '../../integrations/grants/ask-provider.ts'
import { requireUsable } from '../../integrations/health/require-usable.ts'
import { findIntegrationRow } from '../../integrations/rows.ts'
import type { CodehostApi } from '../../providers/codehost.ts'
import type { CodehostWorkflow } from '../../providers/codehosts/workflow.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { listReadableWorkflows, saveInterfaces } from './interface-rows.ts'
import { readInterfaces } from './read-interfaces.ts'
import type { WorkflowDeps } from './workflow-deps.ts'
import {
  listWorkflowRows,
  mapReadTimes,
  replaceWorkflows,
  type WorkflowRow,
} from './workflow-rows.ts'

/** Milliseconds for which a list is not read again, unless one repository is named. */
const freshMs = 5 * 60_000
const atATime = 8
/** Limits the interfaces that a list of one repository reads, because a person waits for it. The next list reads the others. */
const interfacesMax = 100
/** Up to so many workflows, a list of all reads how each is started. With more, their files would use up what a host allows in a minute. */
const fewMax = 20

/** Describes a workflow, with the code host's id of its repository. */
export type ListedWorkflow = WorkflowRow & { readonly repositoryExternalId: string }

/** Describes workflows, and the code host that they are at. */
export interface ListedWorkflows {
  readonly provider: string
  readonly workflows: readonly ListedWorkflow[]
  /** True while a sync fetches the repositories, so that more may follow. */
  readonly isSyncing: boolean
}

/** Names what is listed. */
interface WorkflowsOf {
  readonly orgId: string
  /** The code host's id; `undefined`: all that are tracked. */
  readonly repositoryId: string | undefined
}

/** Describes what listing workflows needs. */
export type ListWorkflowsDeps = Pick<WorkflowDeps, 'store' | 'openCodehost' | 'now' | 'shareRead'>

/**
 * Lists the workflows of the tracked repositories. It reuses what it read within the last five minutes, unless the
 * caller names a repository, or the connection has changed since: another code host, or other rights. It reads the
 * inputs of workflows for a named repository, and for all repositories if there are few workflows. Concurrent calls for
 * the same share one read.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`, `renewal_refused`, `provider_error`
 */
export async function listWorkflows(
  deps: ListWorkflowsDeps,
  { orgId, scope }: Pick<RestrictedCaller, 'orgId' | 'scope'>,
  { repositoryId }: { readonly repositoryId?: string | undefined },
): Promise<ListedWorkflows> {
  const { store, shareRead } = deps
  const provider = await shareRead(`${orgId} ${repositoryId ?? ''}`, () =>
    refreshStale(deps, { orgId, repositoryId }),
  )
  return store.transaction(scope, async (tx) => {
    const repositories = await listTrackedRepositories(tx, orgId, repositoryId)
    const rows = await listWorkflowRows(tx, orgId, idsOf(repositories))
    const isSyncing = await isFullSyncRunning(tx, orgId)
    return { provider, workflows: locate(rows, repositories), isSyncing }
  })
}

/** Reads what is too old from the code host, and returns its name. */
async function refreshStale(
  deps: ListWorkflowsDeps,
  { orgId, repositoryId }: WorkflowsOf,
): Promise<string> {
  const { store, now } = deps
  const { provider, stale } = await store.transaction({ orgId }, async (tx) => {
    const integration = await findIntegrationRow(tx, { orgId, kind: 'codehost' })
    const { provider, connectedAt } = requireUsable(integration)
    const repositories = await listTrackedRepositories(tx, orgId, repositoryId)
    if (repositoryId !== undefined) return { provider, stale: repositories }
    const readTimes = await mapReadTimes(tx, orgId, idsOf(repositories))
    const freshSince = Math.max(now().getTime() - freshMs, connectedAt?.getTime() ?? 0)
    const stale = repositories.filter(({ id }) => (readTimes.get(id)?.getTime() ?? 0) < freshSince)
    return { provider, stale }
  })
  const max = repositoryId === undefined ? fewMax : Infinity
  if (stale.length > 0) await askProvider({ now }, async () => refresh(deps, orgId, stale, max))
  return provider
}

/** `max`: with more workflows than that, it is not read how they are started. */
async function refresh(
  { store, openCodehost, now }: ListWorkflowsDeps,
  orgId: string,
  stale: readonly TrackedRepository[],
  max: number,
): Promise<void> {
  const codehost = await openCodehost(orgId)
  const read = await readAll(codehost, stale)
  const of = { repositoryIds: idsOf(stale), limit: interfacesMax }
  const readable = await store.transaction({ orgId }, async (tx) => {
    await replaceWorkflows(tx, orgId, read, now())
    return listReadableWorkflows(tx, orgId, of)
  })
  if (readable.length > max) return
  const interfaces = await readInterfaces(codehost, locate(readable, stale), now)
  await store.transaction({ orgId }, (tx) => saveInterfaces(tx, orgId, interfaces, now()))
}

function idsOf(repositories: readonly TrackedRepository[]): string[] {
  return repositories.map(({ id }) => id)
}

/** Adds the code host's id of its repository to each row. */
function locate<Row extends { readonly repositoryId: string }>(
  rows: readonly Row[],
  repositories: readonly TrackedRepository[],
): (Row & { readonly repositoryExternalId: string })[] {
  const externalIds = new Map(repositories.map(({ id, externalId }) => [id, externalId]))
  return rows.flatMap((row) => {
    const repositoryExternalId = externalIds.get(row.repositoryId)
    return repositoryExternalId === undefined ? [] : [{ ...row, repositoryExternalId }]
  })
}

async function readAll(codehost: CodehostApi, repositories: readonly TrackedRepository[]) {
  const all: { id: string; workflows: readonly CodehostWorkflow[] }[] = []
  for (let from = 0; from < repositories.length; from += atATime) {
    const some = repositories.slice(from, from + atATime)
    const read = await Promise.all(
      some.map(async ({ id, externalId }) => ({
        id,
        workflows: await readOne(codehost, externalId),
      })),
    )
    all.push(...read)
  }
  return all
}

/** Returns none for a repository that we may not see any more: the others are listed all the same. */
async function readOne(codehost: CodehostApi, externalId: string) {
  try {
    return await codehost.workflows.list(externalId)
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'notFound') return []
    throw error
  }
}
