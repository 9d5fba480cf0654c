import { askProvider } from '../integrations/ask-provider.ts'
import { requireUsable } from '../integrations/require-usable.ts'
import { findIntegrationRow } from '../integrations/rows.ts'
import type { CodehostApi, CodehostWorkflow } from '../providers/codehost.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { EnvironmentCaller } from '../integrations/environment-caller.ts'
import { listUndeclared, putDeclarations } from './declaration-rows.ts'
import { declareWorkflows } from './declare-workflows.ts'
import type { WorkflowDeps } from './workflow-deps.ts'
import {
  listWorkflowRepositories,
  listWorkflowRows,
  replaceWorkflows,
  type WorkflowRepository,
  type WorkflowRow,
} from './workflow-rows.ts'

/** What is younger is shown without asking again, unless one repository is asked for. */
const freshMs = 5 * 60_000
const atATime = 8
/** Somebody waits for the list: what the other files say stands in the next. */
const filesMax = 100

/**
 * The workflows of the tracked repositories, with what their files say of starting them: what was read within the last five
 * minutes as it was, of a repository that is named as it is now.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`, `provider_error`
 */
export async function listWorkflows(
  deps: Pick<WorkflowDeps, 'store' | 'openCodehost' | 'now'>,
  { orgId, scope }: Pick<EnvironmentCaller, 'orgId' | 'scope'>,
  { repositoryId }: { readonly repositoryId?: string | undefined },
): Promise<WorkflowRow[]> {
  const { store, now } = deps
  const known = await store.transaction(scope, async (tx) => {
    requireUsable(await findIntegrationRow(tx, { orgId, kind: 'codehost' }))
    return listWorkflowRepositories(tx, orgId, repositoryId)
  })
  const readSince = now().getTime() - freshMs
  const stale = known.filter(
    ({ fetchedAt }) =>
      repositoryId !== undefined || fetchedAt === null || fetchedAt.getTime() < readSince,
  )
  if (stale.length > 0) await askProvider({ now }, async () => refresh(deps, orgId, stale))
  return store.transaction(scope, (tx) => listWorkflowRows(tx, orgId, repositoryId))
}

async function refresh(
  { store, openCodehost, now }: Pick<WorkflowDeps, 'store' | 'openCodehost' | 'now'>,
  orgId: string,
  stale: readonly WorkflowRepository[],
): Promise<void> {
  const codehost = await openCodehost(orgId)
  const read = await readAll(codehost, stale)
  const repositoryIds = stale.map(({ id }) => id)
  const undeclared = await store.transaction({ orgId }, async (tx) => {
    await replaceWorkflows(tx, orgId, read, now())
    return listUndeclared(tx, orgId, { repositoryIds, limit: filesMax })
  })
  const declared = await declareWorkflows(codehost, undeclared, now)
  await store.transaction({ orgId }, (tx) => putDeclarations(tx, orgId, declared, now()))
}

async function readAll(codehost: CodehostApi, repositories: readonly WorkflowRepository[]) {
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

/** One that we may not see any more has none: that does not cost the others. */
async function readOne(codehost: CodehostApi, externalId: string) {
  try {
    return await codehost.listWorkflows(externalId)
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'notFound') return []
    throw error
  }
}
