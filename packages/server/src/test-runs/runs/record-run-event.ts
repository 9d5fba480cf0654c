import type { CodehostRun } from '../../providers/codehosts/run.ts'
import type { Tx } from '../../store/store.ts'
import { applyRunReport, type ReportingDeps } from './apply-run-report.ts'
import { findRepositoryId } from '../../deployments/codehost/tracked-repository-rows.ts'
import { findDispatch } from '../workflows/dispatch-rows.ts'
import { endOf, followRun } from '../workflows/follow-run.ts'
import { settleRun, toFound } from '../workflows/settle-run.ts'
import { toRunReport } from './merge-run.ts'
import { keepRunEvent, lockRunNames } from './run-event-rows.ts'
import { isRunExpected, lockRun, lockRunByExternalId } from './run-rows.ts'
import type { TestRun } from './test-run.ts'

/**
 * Describes the outcome of an event. `kept`: it may be of a run whose id we are about to learn, and is read then. `stale`: it
 * says nothing new. `unrelated`: no test run of ours.
 */
export type RecordedRunEvent = 'recorded' | 'kept' | 'stale' | 'unrelated'

/** Records an event of a run, in the transaction of its webhook. Events may be repeated and come in any order. */
export async function recordRunEvent(
  deps: ReportingDeps,
  tx: Tx,
  {
    orgId,
    repositoryExternalId,
    run,
  }: { readonly orgId: string; readonly repositoryExternalId: string; readonly run: CodehostRun },
): Promise<RecordedRunEvent> {
  const repositoryId = await findRepositoryId(tx, orgId, repositoryExternalId)
  if (repositoryId === undefined) return 'unrelated'
  await lockRunNames(tx, orgId, repositoryId)
  const { externalId } = run
  const ours =
    (await lockRunByExternalId(tx, orgId, { repositoryId, externalId })) ??
    (await lockCorrelated(tx, orgId, repositoryId, run))
  if (ours === undefined) {
    const isSettled = await settleCorrelated(tx, orgId, repositoryId, run)
    const isFollowed = await followDispatched(deps, tx, { orgId, repositoryId, run })
    if (isSettled || isFollowed) return 'recorded'
    const isExpected = run.isRequested && (await isRunExpected(tx, orgId, repositoryId))
    if (!isExpected) return 'unrelated'
    await keepRunEvent(tx, orgId, { repositoryId, externalId, run, receivedAt: deps.now() })
    return 'kept'
  }
  const report = toRunReport(run)
  if (report === undefined) return 'stale'
  const merged = await applyRunReport(deps, tx, { orgId, run: ours }, report)
  return merged === ours ? 'stale' : 'recorded'
}

/** Records how the run of a dispatch stands, whose end is looked for again after a repeat; returns whether that is news. */
async function followDispatched(
  { emit }: ReportingDeps,
  tx: Tx,
  of: { readonly orgId: string; readonly repositoryId: string; readonly run: CodehostRun },
): Promise<boolean> {
  const { orgId, repositoryId, run } = of
  const id = await followRun(tx, orgId, repositoryId, run)
  if (id === undefined) return false
  // The end of the first attempt has ended the reading of the run.
  if (run.attempt > 1 && endOf(run) === null) await emit(tx, 'dispatch.reopened', { orgId, id })
  return true
}

/** Settles the dispatch that the run was started for; returns whether there was one without a run. */
async function settleCorrelated(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  run: CodehostRun,
): Promise<boolean> {
  const { isRequested, correlation } = run
  if (!isRequested || correlation === null) return false
  const dispatch = await findDispatch(tx, orgId, correlation)
  if (dispatch === undefined || dispatch.repositoryId !== repositoryId) return false
  return settleRun(tx, orgId, dispatch.id, toFound(run))
}

/** Locks the test run that the run was started for, where it was dispatched and its run is not known yet. */
async function lockCorrelated(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  { isRequested, correlation }: CodehostRun,
): Promise<TestRun | undefined> {
  if (!isRequested || correlation === null) return undefined
  const run = await lockRun(tx, orgId, correlation)
  const isOpen =
    run?.repositoryId === repositoryId && run.dispatchedAt !== null && run.externalId === null
  return isOpen ? run : undefined
}
