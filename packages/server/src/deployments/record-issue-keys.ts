import type { Tx } from '../store/store.ts'
import type { DeploymentDeps } from './deployment-deps.ts'
import { emitChanges } from './emit-changes.ts'
import { findIssueKeys, type IssueText, type TrackedProjects } from './issue-keys.ts'
import { listDeploymentIssueRows, writeDeploymentIssueRows } from './issue-rows.ts'
import { addIssueKeys } from './merge-issue-keys.ts'

export interface RecordIssueKeys {
  readonly orgId: string
  /** The deployment. */
  readonly id: string
  readonly texts: readonly IssueText[]
  readonly tracked: TrackedProjects
}

/** Adds the keys that texts name to those of a deployment, and says so when there were any. */
export async function recordIssueKeys(
  deps: Pick<DeploymentDeps, 'emit'>,
  tx: Tx,
  { orgId, id, texts, tracked }: RecordIssueKeys,
): Promise<void> {
  const { keys } = findIssueKeys(texts, tracked)
  if (keys.length === 0) return
  const changed = addIssueKeys(await listDeploymentIssueRows(tx, orgId, id), keys)
  if (changed.length === 0) return
  await writeDeploymentIssueRows(tx, orgId, id, changed)
  await emitChanges(deps, tx, orgId, { event: 'deployment.changed', ids: [id] })
}
