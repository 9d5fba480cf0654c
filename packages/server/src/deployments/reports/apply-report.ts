import { listVersionsAt } from '../../configs/versions/versions-at-rows.ts'
import { newId } from '../../crypto/ids.ts'
import type { CodehostStatus } from '../../providers/codehosts/deployment.ts'
import type { Tx } from '../../store/store.ts'
import type { DeploymentDeps } from '../deployment-deps.ts'
import {
  completeDeployment,
  findRecordedDeployment,
  findRecordedDeploymentById,
  insertDeployment,
  recordConfigVersions,
  settleDeployment,
  type DeploymentFacts,
  type NewestStatus,
  type RecordedDeployment,
} from './deployment-rows.ts'
import { combineJobs, toReportedState } from './combine-jobs.ts'
import { findDeploymentOfRun, insertJob, listJobStates } from './job-rows.ts'
import { mergeStatus, type MergedStatus, type ReportedStatus } from './merge-status.ts'
import { emitChanges } from './emit-changes.ts'
import { relinkDeployments } from './relink-deployments.ts'
import { insertStatus } from './status-rows.ts'

/** Describes the outcome of a report. `reason` is shown to people. */
export type RecordOutcome =
  | { readonly outcome: 'applied' | 'duplicate' | 'stale' }
  | { readonly outcome: 'ignored'; readonly reason: string }

/** Describes a deployment as the code host or a pipeline reports it. */
export interface DeploymentReport extends DeploymentFacts {
  readonly repositoryId: string
  readonly status: (CodehostStatus & { readonly number: bigint }) | undefined
}

/** Names the deployment of a report, and its outcome. */
export interface AppliedReport {
  readonly id: string
  readonly result: RecordOutcome
}

/**
 * Applies a report to a deployment and its neighbours. The caller holds the lock of the repository, so
 * reports of one repository are applied one after the other.
 */
export async function applyReport(
  deps: DeploymentDeps,
  tx: Tx,
  orgId: string,
  report: DeploymentReport,
): Promise<AppliedReport> {
  const known = await findRecordedDeployment(tx, orgId, report)
  const before = known ?? (await joinRun(tx, orgId, report))
  const { id, isChanged } = await keepFacts(deps, tx, orgId, { before, report })
  const merged = await mergeReport(tx, orgId, { id, before, known, report })
  if (known === undefined || merged?.outcome === 'applied' || merged?.outcome === 'stale') {
    await settle({ deps, tx, orgId }, { before, id, report })
  } else if (isChanged) {
    await emitChanges(deps, tx, orgId, { event: 'deployment.changed', ids: [id] })
  }
  return { id, result: toOutcome(merged, isChanged || known === undefined) }
}

/** Adds a job to the deployment that other jobs of its run have made, where there is one. */
async function joinRun(
  tx: Tx,
  orgId: string,
  report: DeploymentReport,
): Promise<RecordedDeployment | undefined> {
  const id = await findDeploymentOfRun(tx, orgId, report)
  if (id === undefined) return undefined
  const before = await findRecordedDeploymentById(tx, orgId, id)
  await insertJob(tx, orgId, id, report)
  return before
}

async function keepFacts(
  { now }: DeploymentDeps,
  tx: Tx,
  orgId: string,
  {
    before,
    report,
  }: { readonly before: RecordedDeployment | undefined; readonly report: DeploymentReport },
): Promise<{ readonly id: string; readonly isChanged: boolean }> {
  if (before !== undefined) {
    return { id: before.id, isChanged: await completeDeployment(tx, orgId, before.id, report) }
  }
  const id = newId('dep', now())
  await insertDeployment(tx, orgId, { ...report, id }, now())
  return { id, isChanged: true }
}

function toOutcome(merged: MergedStatus | undefined, isChanged: boolean): RecordOutcome {
  if (merged?.outcome === 'ignored') return merged
  return { outcome: merged?.outcome ?? (isChanged ? 'applied' : 'duplicate') }
}

interface Merging {
  readonly id: string
  /** The deployment, and how the job of the report stands where it has one already. */
  readonly before: RecordedDeployment | undefined
  readonly known: NewestStatus | undefined
  readonly report: DeploymentReport
}

async function mergeReport(
  tx: Tx,
  orgId: string,
  { id, before, known, report }: Merging,
): Promise<MergedStatus | undefined> {
  const { status, externalId, run } = report
  if (status === undefined) return undefined
  const current = known === undefined || known.stateSeq === '0' ? undefined : standing(known)
  const merged = mergeStatus(current, status)
  if (merged.outcome === 'ignored') return merged
  const job = (before?.externalId ?? externalId) === externalId ? '' : externalId
  const stored = await insertStatus(tx, orgId, id, { ...status, job, jobName: run?.job ?? null })
  return stored ? merged : { outcome: 'duplicate' }
}

function standing(known: NewestStatus): ReportedStatus {
  return { state: toReportedState(known.reportedState), number: BigInt(known.stateSeq) }
}

type Settling = Pick<Merging, 'before' | 'id' | 'report'>

async function settle(
  { deps, tx, orgId }: { readonly deps: DeploymentDeps; readonly tx: Tx; readonly orgId: string },
  { before, id, report }: Settling,
): Promise<void> {
  const state = combineJobs(await listJobStates(tx, orgId, id))
  const after = await settleDeployment(tx, orgId, id, { state, isHistory: report.isHistory })
  if (after === undefined) throw new Error(`The deployment ${id} was deleted meanwhile`)
  const positions =
    before === undefined || isSamePosition(before, after) ? [after] : [before, after]
  const changed = await relinkDeployments(tx, orgId, positions)
  const ids = [...new Set([id, ...changed.keys()])]
  await emitChanges(deps, tx, orgId, { event: 'deployment.changed', ids })
  // Includes a deployment that another one has replaced since: it was live, and has tests or a row that says why not.
  // Another of its jobs may still run.
  if (report.status?.state !== 'success' || after.succeededAt === null) return
  await recordConfiguration(tx, orgId, after)
  await emitChanges(deps, tx, orgId, { event: 'deployment.succeeded', ids: [id] })
}

async function recordConfiguration(
  tx: Tx,
  orgId: string,
  { id, environmentId, succeededAt }: RecordedDeployment,
): Promise<void> {
  if (environmentId === null || succeededAt === null) return
  const versions = await listVersionsAt(tx, orgId, environmentId, succeededAt)
  await recordConfigVersions(tx, orgId, id, versions)
}

function isSamePosition(a: RecordedDeployment, b: RecordedDeployment): boolean {
  return (
    a.hostEnvironment.toLowerCase() === b.hostEnvironment.toLowerCase() &&
    a.positionAt.getTime() === b.positionAt.getTime()
  )
}
