import type { EventSubject } from '../../jobs/emit.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Store, Tx } from '../../store/store.ts'
import { listCommitRows } from '../commits/commit-rows.ts'
import type { DeploymentDeps } from '../deployment-deps.ts'
import { emitChanges } from '../reports/emit-changes.ts'
import { enrichQueue } from '../commits/enrich-job.ts'
import { findDeploymentTexts, type DeploymentTexts } from '../commits/enrich-rows.ts'
import { readDeploymentSettings } from '../codehost/integration-settings.ts'
import {
  findIssueKeys,
  isTracked,
  untrackedReason,
  type CountedKeys,
  type IssueText,
  type KeyReading,
} from './issue-keys.ts'
import {
  deleteDeploymentIssueRows,
  listDeploymentIssueRows,
  writeDeploymentIssueRows,
  type DeploymentIssueRow,
} from './issue-rows.ts'
import { addIssueKeys, replaceCommitKeys } from './merge-issue-keys.ts'
import { lockRepositoryOf } from '../codehost/repository-rows.ts'

/** Reads the issue keys of a deployment again, after the tracked projects changed, and looks all of them up. */
export async function rereadKeys(
  deps: DeploymentDeps & {
    readonly store: Pick<Store, 'transaction'>
    readonly jobs: Pick<Jobs, 'enqueue'>
  },
  { orgId, id }: EventSubject,
): Promise<void> {
  await deps.store.transaction({ orgId }, async (tx) => {
    const repository = await lockRepositoryOf(tx, orgId, id)
    const texts = await findDeploymentTexts(tx, orgId, id)
    if (repository === undefined || texts === undefined) return
    const { keys } = await readDeploymentSettings(tx, orgId)
    const rows = await listDeploymentIssueRows(tx, orgId, id)
    const restored = rows.map((row) => restore(row, keys))
    const reading = { ...keys, repository }
    const { written, gone } = await readAnew(tx, { orgId, id, texts }, restored, reading)
    await deleteDeploymentIssueRows(tx, orgId, id, gone)
    await writeDeploymentIssueRows(tx, orgId, id, {
      rows: written.map((row) => leaveOut(row, keys)),
      at: deps.now(),
    })
    await emitChanges(deps, tx, orgId, { event: 'issues.changed', ids: [id] })
    await deps.jobs.enqueue(tx, enrichQueue, { orgId, id }, { key: id })
  })
}

/** As if the tracker had not been asked: it may be another site. */
function restore(row: DeploymentIssueRow, counted: CountedKeys): DeploymentIssueRow {
  const isBack = row.state === 'ignored' && isTracked(row.key, counted)
  return { ...row, askedAt: null, ...(isBack ? { state: 'pending', reason: null } : {}) }
}

function leaveOut(row: DeploymentIssueRow, counted: CountedKeys): DeploymentIssueRow {
  return isTracked(row.key, counted)
    ? row
    : { ...row, state: 'ignored', reason: untrackedReason(counted) }
}

interface Reread {
  readonly orgId: string
  readonly id: string
  readonly texts: DeploymentTexts
}

async function readAnew(
  tx: Tx,
  { orgId, id, texts }: Reread,
  rows: readonly DeploymentIssueRow[],
  reading: KeyReading,
): Promise<{ readonly written: readonly DeploymentIssueRow[]; readonly gone: readonly string[] }> {
  const others = findIssueKeys(textsOf(texts), reading).keys
  if (!texts.isCompared) return { written: merge(rows, addIssueKeys(rows, others)), gone: [] }
  const commits = await listCommitRows(tx, orgId, id)
  const fromCommits = commits.map(({ sha, message }) => {
    return { source: 'commit', sha, text: message } as const
  })
  const { keys } = findIssueKeys(fromCommits, reading)
  const direction = texts.relation === 'rollback' ? 'out' : 'in'
  const { written, gone } = replaceCommitKeys(rows, keys, direction)
  return { written: merge(written, addIssueKeys(written, others)), gone }
}

function merge(
  rows: readonly DeploymentIssueRow[],
  changed: readonly DeploymentIssueRow[],
): DeploymentIssueRow[] {
  return [...new Map([...rows, ...changed].map((row) => [row.key, row])).values()]
}

/** Returns the texts other than commits that name keys. The message of the head counts as long as the commits are not known. */
export function textsOf(of: DeploymentTexts): IssueText[] {
  const { sha, branch, commitMessage, description, keyTexts, isCompared } = of
  const texts: IssueText[] = [...keyTexts]
  if (!isCompared && commitMessage !== null) {
    texts.push({ source: 'commit', sha, text: commitMessage })
  }
  if (branch !== null) texts.push({ source: 'branch', sha: null, text: branch })
  if (description !== null) texts.push({ source: 'payload', sha: null, text: description })
  return texts
}
