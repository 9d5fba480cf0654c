import type { CodehostRun } from '../providers/codehost.ts'
import type { Tx } from '../store/store.ts'
import { applyRunReport, type ReportingDeps } from './apply-run-report.ts'
import { findRepositoryId } from './deployment-rows.ts'
import { findDispatch, settleDispatch } from './dispatch-rows.ts'
import { toFound } from './find-dispatch-run.ts'
import { toRunReport } from './merge-run.ts'
import { keepRunEvent, lockRunNames } from './run-event-rows.ts'
import { isRunExpected, lockRun, lockRunByExternalId } from './run-rows.ts'
import { readDispatchId, readRunId } from './run-title.ts'
import type { TestRun } from './test-run.ts'

/**
 * What became of an event. `kept`: it may be of a run whose number we are about to learn, and is read then. `stale`: it
 * says nothing that is not known. `unrelated`: no test run of ours.
 */
export type RecordedRunEvent = 'recorded' | 'kept' | 'stale' | 'unrelated'

/** Records what the code host tells of a run, in the transaction of whoever received it. Safe to repeat and to shuffle. */
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
    (await lockNamedInTitle(tx, orgId, repositoryId, run))
  if (ours === undefined) {
    if (await settleNamedInTitle(tx, orgId, repositoryId, run)) return 'recorded'
    const isWaitedFor =
      run.event === 'workflow_dispatch' && (await isRunExpected(tx, orgId, repositoryId))
    if (!isWaitedFor) return 'unrelated'
    await keepRunEvent(tx, orgId, { repositoryId, externalId, run, receivedAt: deps.now() })
    return 'kept'
  }
  const report = toRunReport(run)
  if (report === undefined) return 'stale'
  const merged = await applyRunReport(deps, tx, { orgId, run: ours }, report)
  return merged === ours ? 'stale' : 'recorded'
}

/** Whether it is the run of a dispatch that nobody knew: its workflow puts the dispatch's id into the title. */
async function settleNamedInTitle(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  run: CodehostRun,
): Promise<boolean> {
  const id = run.event === 'workflow_dispatch' ? readDispatchId(run.title) : undefined
  const dispatch = id === undefined ? undefined : await findDispatch(tx, orgId, id)
  if (dispatch === undefined || dispatch.repositoryId !== repositoryId) return false
  return settleDispatch(tx, orgId, dispatch.id, toFound(run))
}

/** A run that was dispatched and has no number yet, by the id that its workflow puts into the title. */
async function lockNamedInTitle(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  { event, title }: CodehostRun,
): Promise<TestRun | undefined> {
  const id = event === 'workflow_dispatch' ? readRunId(title) : undefined
  const run = id === undefined ? undefined : await lockRun(tx, orgId, id)
  const isOpen =
    run?.repositoryId === repositoryId && run.dispatchedAt !== null && run.externalId === null
  return isOpen ? run : undefined
}
