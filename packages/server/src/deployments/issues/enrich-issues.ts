import { Problem } from '@signalbox/contract'
import { toProblem } from '../../integrations/grants/ask-provider.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { FoundIssue, TrackerApi } from '../../providers/tracker.ts'
import type { DeploymentDeps } from '../deployment-deps.ts'
import { emitChanges } from '../reports/emit-changes.ts'
import { isFinal } from '../commits/enrich-commits.ts'
import {
  listDeploymentIssueRows,
  notePendingIssues,
  type DeploymentIssueRow,
} from './issue-rows.ts'
import { recordIssues } from './record-issues.ts'

/** Describes what looking up issues works with. */
export interface IssueDeps extends DeploymentDeps {
  /** The way to what an organization has connected. @throws {Problem} `integration_not_connected`, `reauth_required` */
  readonly openTracker: (orgId: string) => Promise<TrackerApi>
}

const askAgainMs = 10 * 60_000

/**
 * Looks up the keys of a deployment that were never looked up, or not for a while. If the tracker cannot be asked, they
 * stay pending with the reason.
 *
 * @throws {ProviderError} for what is to be tried again.
 */
export async function enrichIssues(
  deps: IssueDeps,
  of: { readonly orgId: string; readonly id: string },
): Promise<void> {
  const { orgId, id } = of
  const rows = await deps.store.transaction({ orgId }, (tx) =>
    listDeploymentIssueRows(tx, orgId, id),
  )
  const asOf = new Date(deps.now().getTime() - askAgainMs)
  const keys = rows.filter((row) => isDue(row, asOf)).map(({ key }) => key)
  if (keys.length === 0) return
  try {
    const { siteId, lookups } = await ask(deps, orgId, keys)
    await recordIssues(deps, { orgId, deploymentId: id, siteId, lookups })
  } catch (error) {
    if (!(error instanceof Problem || error instanceof ProviderError)) throw error
    await notePending(deps, of, { keys, error })
    if (error instanceof ProviderError && !isFinal(error)) throw error
  }
}

async function ask(
  { openTracker }: IssueDeps,
  orgId: string,
  keys: readonly string[],
): Promise<{ readonly siteId: string; readonly lookups: readonly FoundIssue[] }> {
  const tracker = await openTracker(orgId)
  return { siteId: tracker.siteId, lookups: await tracker.findIssues(keys) }
}

function isDue({ state, askedAt }: DeploymentIssueRow, asOf: Date): boolean {
  if (state === 'ignored') return false
  return state === 'pending' || askedAt === null || askedAt < asOf
}

async function notePending(
  deps: IssueDeps,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  { keys, error }: { readonly keys: readonly string[]; readonly error: Problem | ProviderError },
): Promise<void> {
  const at = deps.now()
  const reason = error instanceof Problem ? error.message : toProblem(error, at).message
  await deps.store.transaction({ orgId }, async (tx) => {
    if (!(await notePendingIssues(tx, orgId, id, { keys, reason, at }))) return
    await emitChanges(deps, tx, orgId, { event: 'issues.changed', ids: [id] })
  })
}
