import type { CodehostComparison } from '../../providers/codehosts/commit.ts'
import type { KeyRepository } from '../../providers/tracker.ts'
import type { Tx } from '../../store/store.ts'
import { replaceCommits, writeRange } from './commit-rows.ts'
import type { DeploymentDeps } from '../deployment-deps.ts'
import { emitChanges } from '../reports/emit-changes.ts'
import { findRecordedDeploymentById, type RecordedDeployment } from '../reports/deployment-rows.ts'
import { readDeploymentSettings } from '../codehost/integration-settings.ts'
import { findIssueKeys } from '../issues/issue-keys.ts'
import {
  deleteDeploymentIssueRows,
  listDeploymentIssueRows,
  writeDeploymentIssueRows,
} from '../issues/issue-rows.ts'
import { replaceCommitKeys } from '../issues/merge-issue-keys.ts'
import { relateDeployments } from '../reports/relate-deployments.ts'
import { relinkDeployments } from '../reports/relink-deployments.ts'
import { lockRepositoryOf } from '../codehost/repository-rows.ts'

/** Describes the commits of a deployment that are recorded. */
export interface RecordCommits {
  readonly orgId: string
  readonly deploymentId: string
  /** The success that it was compared with; `null`: there was none. */
  readonly baseDeploymentId: string | null
  /** Oldest first. Where the comparison says `behind`: the commits that are taken out. */
  readonly comparison: Omit<CodehostComparison, 'status'> & {
    /** `null`: nothing to compare with, so the commits are those of the head alone. */
    readonly status: CodehostComparison['status'] | null
  }
}

const commitsMax = 1000

/**
 * Records which commits a deployment brings and the issue keys they name. `stale`: another deployment succeeded in
 * between after the commits were fetched, so they must be fetched again.
 */
export async function recordCommits(
  deps: DeploymentDeps,
  { orgId, deploymentId, baseDeploymentId, comparison }: RecordCommits,
): Promise<{ readonly outcome: 'applied' | 'stale' | 'absent' }> {
  return deps.store.transaction({ orgId }, async (tx) => {
    const repository = await lockRepositoryOf(tx, orgId, deploymentId)
    const deployment = await findRecordedDeploymentById(tx, orgId, deploymentId)
    if (repository === undefined || deployment === undefined) return { outcome: 'absent' }
    if (deployment.previousSuccessfulId !== baseDeploymentId) return { outcome: 'stale' }
    const base =
      baseDeploymentId === null
        ? undefined
        : await findRecordedDeploymentById(tx, orgId, baseDeploymentId)
    const newestCommits = comparison.commits.slice(-commitsMax)
    const isTruncated = comparison.isTruncated || newestCommits.length < comparison.total
    await replaceCommits(tx, orgId, deploymentId, newestCommits)
    await writeRange(tx, orgId, deploymentId, {
      range: {
        base: base?.sha ?? null,
        head: deployment.sha,
        status: comparison.status,
        total: comparison.total,
        truncated: isTruncated,
        comparedAt: deps.now().toISOString(),
      },
      relation: relateDeployments({
        sha: deployment.sha,
        previousSha: base?.sha,
        comparison: comparison.status ?? undefined,
      }),
    })
    const change = { deployment, repository, comparison: { ...comparison, commits: newestCommits } }
    await replaceKeys(tx, orgId, { ...change, at: deps.now() })
    // Its relation to the one before decides whether that one was superseded or rolled back.
    const changed = await relinkDeployments(tx, orgId, [deployment])
    const others = [...changed.keys()].filter((id) => id !== deploymentId)
    await emitChanges(deps, tx, orgId, { event: 'issues.changed', ids: [deploymentId] })
    await emitChanges(deps, tx, orgId, { event: 'deployment.changed', ids: others })
    return { outcome: 'applied' }
  })
}

async function replaceKeys(
  tx: Tx,
  orgId: string,
  {
    deployment: { id },
    repository,
    comparison: { commits, status },
    at,
  }: {
    readonly deployment: RecordedDeployment
    readonly repository: KeyRepository
    readonly comparison: RecordCommits['comparison']
    readonly at: Date
  },
): Promise<void> {
  const { keys: counted } = await readDeploymentSettings(tx, orgId)
  const texts = commits.map(({ sha, message }) => ({
    source: 'commit' as const,
    sha,
    text: message,
  }))
  const { keys } = findIssueKeys(texts, { ...counted, repository })
  const rows = await listDeploymentIssueRows(tx, orgId, id)
  const { written, gone } = replaceCommitKeys(rows, keys, status === 'behind' ? 'out' : 'in')
  await deleteDeploymentIssueRows(tx, orgId, id, gone)
  await writeDeploymentIssueRows(tx, orgId, id, { rows: written, at })
}
