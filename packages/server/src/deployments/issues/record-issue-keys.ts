import type { Tx } from '../../store/store.ts'
import type { DeploymentDeps } from '../deployment-deps.ts'
import { emitChanges } from '../reports/emit-changes.ts'
import { keepKeyTexts } from '../commits/enrich-rows.ts'
import { findIssueKeys, keepKeyLines, type IssueText, type KeyReading } from './issue-keys.ts'
import { listDeploymentIssueRows, writeDeploymentIssueRows } from './issue-rows.ts'
import { addIssueKeys } from './merge-issue-keys.ts'

/** Describes the texts of a deployment whose keys are recorded. */
export interface RecordIssueKeys {
  readonly orgId: string
  /** The deployment. */
  readonly id: string
  readonly texts: readonly IssueText[]
  readonly reading: KeyReading
}

/**
 * Adds the issue keys in texts to those of a deployment, and emits an event when there are any. Stores the lines with keys of
 * texts that are stored nowhere else: a tracker may be connected, or other projects may be tracked, later.
 */
export async function recordIssueKeys(
  deps: Pick<DeploymentDeps, 'emit' | 'now'>,
  tx: Tx,
  { orgId, id, texts, reading }: RecordIssueKeys,
): Promise<void> {
  const read = texts.flatMap((text) => toKept(text, reading))
  const keyTexts = read.filter(isKept)
  if (keyTexts.length > 0) await keepKeyTexts(tx, orgId, id, keyTexts)
  const { keys } = findIssueKeys(read, reading)
  if (keys.length === 0) return
  const changed = addIssueKeys(await listDeploymentIssueRows(tx, orgId, id), keys)
  if (changed.length === 0) return
  await writeDeploymentIssueRows(tx, orgId, id, { rows: changed, at: deps.now() })
  await emitChanges(deps, tx, orgId, { event: 'deployment.changed', ids: [id] })
}

/** Commits and branches stand with the deployment itself. */
function isKept({ source }: IssueText): boolean {
  return source === 'payload' || source === 'api'
}

function toKept(of: IssueText, { repository }: KeyReading): IssueText[] {
  if (!isKept(of)) return [of]
  const text = keepKeyLines(of.text, repository)
  return text === undefined ? [] : [{ ...of, text }]
}
