import { listVersionsAt } from '../../configs/versions/versions-at-rows.ts'
import { newId } from '../../crypto/ids.ts'
import {
  reportedStates,
  type CodehostStatus,
  type ReportedState,
} from '../../providers/codehost.ts'
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
  type RecordedDeployment,
} from './deployment-rows.ts'
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
  const before = await findRecordedDeployment(tx, orgId, report)
  const { id, isChanged } = await keepFacts(deps, tx, orgId, { before, report })
  const merged = await mergeReport(tx, orgId, { id, before, status: report.status })
  if (before === undefined || merged?.outcome === 'applied' || merged?.outcome === 'stale') {
    const reported = merged?.outcome === 'applied' ? merged.status : standing(before)
    const { isHistory } = report
    await settle({ deps, tx, orgId }, { before, id, reported: { ...reported, isHistory }, merged })
  } else if (isChanged) {
    await emitChanges(deps, tx, orgId, { event: 'deployment.changed', ids: [id] })
  }
  return { id, result: toOutcome(merged, isChanged) }
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

const noStatus: ReportedStatus = { state: 'pending', number: 0n }

function standing(known: RecordedDeployment | undefined): ReportedStatus {
  if (known === undefined) return noStatus
  return { state: toReportedState(known.reportedState), number: BigInt(known.stateSeq) }
}

function toReportedState(text: string): ReportedState {
  return reportedStates.find((state) => state === text) ?? 'unknown'
}

async function mergeReport(
  tx: Tx,
  orgId: string,
  {
    id,
    before,
    status,
  }: Pick<DeploymentReport, 'status'> & {
    readonly id: string
    readonly before: RecordedDeployment | undefined
  },
): Promise<MergedStatus | undefined> {
  if (status === undefined) return undefined
  const current = before === undefined || before.stateSeq === '0' ? undefined : standing(before)
  const merged = mergeStatus(current, status)
  if (merged.outcome === 'ignored') return merged
  return (await insertStatus(tx, orgId, id, status)) ? merged : { outcome: 'duplicate' }
}

interface Settling {
  readonly before: RecordedDeployment | undefined
  readonly id: string
  readonly reported: ReportedStatus & Pick<DeploymentReport, 'isHistory'>
  readonly merged: MergedStatus | undefined
}

async function settle(
  { deps, tx, orgId }: { readonly deps: DeploymentDeps; readonly tx: Tx; readonly orgId: string },
  { before, id, reported, merged }: Settling,
): Promise<void> {
  const after = await settleDeployment(tx, orgId, id, reported)
  if (after === undefined) throw new Error(`The deployment ${id} was deleted meanwhile`)
  const positions =
    before === undefined || isSamePosition(before, after) ? [after] : [before, after]
  const changed = await relinkDeployments(tx, orgId, positions)
  const ids = [...new Set([id, ...changed.keys()])]
  await emitChanges(deps, tx, orgId, { event: 'deployment.changed', ids })
  if (merged?.outcome !== 'applied' || reported.state !== 'success') return
  await recordConfiguration(tx, orgId, after)
  const linked = await findRecordedDeploymentById(tx, orgId, id)
  // Another one may have succeeded since: what is tested is what is live.
  if (linked?.state !== 'success') return
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
