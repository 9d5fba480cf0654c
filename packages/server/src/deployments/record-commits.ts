import type { CodehostComparison } from '../providers/codehost.ts'
import type { Tx } from '../store/store.ts'
import { replaceCommits, writeRange } from './commit-rows.ts'
import type { DeploymentDeps } from './deployment-deps.ts'
import { emitChanges } from './emit-changes.ts'
import { findDeploymentPlaceById, type DeploymentPlace } from './deployment-rows.ts'
import { readDeploymentSettings } from './integration-settings.ts'
import { findIssueKeys } from './issue-keys.ts'
import {
  deleteDeploymentIssueRows,
  listDeploymentIssueRows,
  writeDeploymentIssueRows,
} from './issue-rows.ts'
import { replaceCommitKeys } from './merge-issue-keys.ts'
import { relateDeployments } from './relate-deployments.ts'
import { relinkDeployments } from './relink-deployments.ts'
import { lockRepositoryOf } from './repository-rows.ts'

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
 * Records which commits a deployment brings and the issue keys they name. `stale`: another success has come between since
 * the commits were asked for, so they are to be asked for again.
 */
export async function recordCommits(
  deps: DeploymentDeps,
  { orgId, deploymentId, baseDeploymentId, comparison }: RecordCommits,
): Promise<{ readonly outcome: 'applied' | 'stale' | 'absent' }> {
  return deps.store.transaction({ orgId }, async (tx) => {
    const repository = await lockRepositoryOf(tx, orgId, deploymentId)
    const place = await findDeploymentPlaceById(tx, orgId, deploymentId)
    if (repository === undefined || place === undefined) return { outcome: 'absent' }
    if (place.previousSuccessfulId !== baseDeploymentId) return { outcome: 'stale' }
    const base =
      baseDeploymentId === null
        ? undefined
        : await findDeploymentPlaceById(tx, orgId, baseDeploymentId)
    const kept = comparison.commits.slice(-commitsMax)
    const isTruncated = comparison.isTruncated || kept.length < comparison.total
    await replaceCommits(tx, orgId, deploymentId, kept)
    await writeRange(tx, orgId, deploymentId, {
      range: {
        base: base?.sha ?? null,
        head: place.sha,
        status: comparison.status,
        total: comparison.total,
        truncated: isTruncated,
        comparedAt: deps.now().toISOString(),
      },
      relation: relateDeployments({
        sha: place.sha,
        previousSha: base?.sha,
        comparison: comparison.status ?? undefined,
      }),
    })
    await replaceKeys(tx, orgId, place, { ...comparison, commits: kept })
    // What it is to the one before decides whether that one was superseded or rolled back.
    const changed = await relinkDeployments(tx, orgId, [place])
    const others = [...changed.keys()].filter((id) => id !== deploymentId)
    await emitChanges(deps, tx, orgId, { event: 'issues.changed', ids: [deploymentId] })
    await emitChanges(deps, tx, orgId, { event: 'deployment.changed', ids: others })
    return { outcome: 'applied' }
  })
}

async function replaceKeys(
  tx: Tx,
  orgId: string,
  { id }: DeploymentPlace,
  { commits, status }: RecordCommits['comparison'],
): Promise<void> {
  const { trackedProjects } = await readDeploymentSettings(tx, orgId)
  const texts = commits.map(({ sha, message }) => ({
    source: 'commit' as const,
    sha,
    text: message,
  }))
  const { keys } = findIssueKeys(texts, trackedProjects)
  const rows = await listDeploymentIssueRows(tx, orgId, id)
  const { written, gone } = replaceCommitKeys(rows, keys, status === 'behind' ? 'out' : 'in')
  await deleteDeploymentIssueRows(tx, orgId, id, gone)
  await writeDeploymentIssueRows(tx, orgId, id, written)
}
