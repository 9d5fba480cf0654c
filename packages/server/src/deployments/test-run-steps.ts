import type { TestRunState, TimelineAction } from '@signalbox/contract/rest'
import type { ShownTestRunRow } from './detail-rows.ts'
import type { DeploymentView } from './get-deployment.ts'
import { step, type TimedStep } from './timed-step.ts'

const stateOf: Readonly<Record<TestRunState, TimedStep['state']>> = {
  planned: 'waiting',
  dispatching: 'running',
  unknown: 'running',
  queued: 'running',
  running: 'running',
  passed: 'done',
  failed: 'failed',
  errored: 'failed',
  timed_out: 'failed',
  cancelled: 'skipped',
  skipped: 'skipped',
}

/** The test runs of a deployment, or why a success has none. */
export function testRunSteps(view: DeploymentView): TimedStep[] {
  const { testRuns, deployment } = view
  if (testRuns.length > 0) return testRuns.map((run) => runStep(deployment.ref, run))
  const { state, finishedAt, isHistory } = deployment
  if (state !== 'success' || finishedAt === null) return []
  const run: TimelineAction = { kind: 'run_workflow', ref: deployment.ref }
  const told = { at: finishedAt, kind: 'skipped', state: 'skipped', title: 'No tests' } as const
  if (isHistory) return [step({ ...told, detail: 'It was found long after it happened.' })]
  if (!view.ground.hasTestWorkflows) {
    return [
      step({
        ...told,
        detail: 'No workflow is chosen to test deployments.',
        nextStep: 'Choose the workflow that does, or report runs from a pipeline.',
        actions: [{ kind: 'choose_workflow' }, run],
      }),
    ]
  }
  return [
    step({
      ...told,
      detail:
        'No run has begun: the workflow waits for a quiet moment, or is not for this environment.',
      nextStep: 'Wait a moment, or run the workflow.',
      actions: [run, { kind: 'choose_workflow' }],
    }),
  ]
}

function runStep(ref: string, run: ShownTestRunRow): TimedStep {
  const state = stateOf[run.state]
  const hasEndedBadly = state === 'failed' || run.state === 'cancelled'
  return step({
    at: run.finishedAt ?? run.startedAt ?? run.createdAt,
    kind: 'test_run',
    state,
    title: `Test run ${run.name}${endings[run.state] ?? ''}`,
    detail: run.stateReason === null ? null : (reasons[run.stateReason] ?? run.stateReason),
    url: run.url,
    nextStep: hasEndedBadly ? nextStepOf(run) : null,
    actions: hasEndedBadly ? [{ kind: 'run_workflow', ref }] : [],
    subjectId: run.id,
  })
}

/** What the word beside the title does not say by itself. */
const endings: Readonly<Partial<Record<TestRunState, string>>> = {
  dispatching: ': starting',
  unknown: ': its run is being looked for',
  queued: ': queued',
  passed: ': passed',
  errored: ': ended without a result',
  timed_out: ': timed out',
  cancelled: ': cancelled',
}

const reasons: Readonly<Record<string, string>> = {
  newer_deployment: 'A newer deployment took its place before it was tested.',
  not_started: 'The code host never said that the run began.',
  dispatch_ambiguous: 'The code host gave no clear answer; the run is being looked for.',
  recorded_by_pipeline: 'A pipeline reports the same run.',
  suspended: 'The integration with the code host is suspended.',
  not_found: 'The workflow is not there, or may not be seen.',
  ref_not_found: 'There is no such branch or tag any more. A commit is neither.',
  no_dispatch_trigger: 'The workflow cannot be started by hand on this branch.',
  workflow_disabled: 'The workflow is disabled at the code host.',
  input_required: 'The workflow requires an input that was not given.',
  forbidden: 'The code host does not allow it to be started.',
  integration_not_connected: 'The code host is not connected.',
  reauth_required: 'The code host has to be connected again.',
}

function nextStepOf({ state }: ShownTestRunRow): string {
  if (state === 'failed') return 'Look at what failed, and run it again once it is fixed.'
  if (state === 'timed_out') return 'Look whether it still runs there, and run it again.'
  return 'Run it again.'
}
