import type { TestRunState, TimelineAction } from '@signalbox/contract/rest'
import { explainRun, type RunMend } from '../../test-runs/runs/explain-run.ts'
import type { ShownTestRunRow } from './detail-rows.ts'
import type { DeploymentView } from './get-deployment.ts'
import { step, type TimedStep } from './timed-step.ts'

const stateOf: Readonly<Record<TestRunState, TimedStep['state']>> = {
  planned: 'waiting',
  dispatching: 'running',
  unknown: 'waiting',
  queued: 'running',
  running: 'running',
  passed: 'done',
  failed: 'failed',
  errored: 'failed',
  timed_out: 'failed',
  cancelled: 'skipped',
  skipped: 'skipped',
}

/** Returns the steps of a deployment's test runs, or why a success has none. */
export function testRunSteps(view: DeploymentView): TimedStep[] {
  const { testRuns, deployment } = view
  if (testRuns.length > 0) return testRuns.map((run) => runStep(view, run))
  const { state, finishedAt, isHistory } = deployment
  if (state !== 'success' || finishedAt === null) return []
  const run: TimelineAction = { kind: 'run_workflow', ref: deployment.ref }
  const skipped = { at: finishedAt, kind: 'skipped', state: 'skipped', title: 'No tests' } as const
  if (isHistory)
    return [step({ ...skipped, detail: 'Signalbox found this deployment long after it happened.' })]
  const { repositoryExternalId } = view.surroundings
  const isTested = view.ground.testedRepositories.some(
    (id) => repositoryExternalId !== null && (id ?? repositoryExternalId) === repositoryExternalId,
  )
  if (!isTested) {
    return [
      step({
        ...skipped,
        detail: `No workflow tests deployments of ${deployment.repository}.`,
        nextStep: 'Choose the workflow that tests them, or report test runs from a pipeline.',
        actions: [{ kind: 'choose_workflow' }, run],
      }),
    ]
  }
  return [
    step({
      ...skipped,
      title: 'No tests yet',
      detail: `The test workflow starts a few seconds after the last deployment, or isn’t enabled for ${deployment.hostEnvironment}.`,
      nextStep: 'Run the tests now, or choose the environments that the workflow tests.',
      actions: [run, { kind: 'choose_workflow' }],
    }),
  ]
}

function runStep(
  { deployment: { ref }, ground: { codehost } }: DeploymentView,
  run: ShownTestRunRow,
): TimedStep {
  const { detail, nextStep, mend } = explainRun({ ...run, codehost })
  const again: TimelineAction = { kind: 'run_workflow', ref }
  return step({
    at: run.finishedAt ?? run.startedAt ?? run.createdAt,
    kind: 'test_run',
    state: stateOf[run.state],
    title: `Test run ${run.name}${endings[run.state] ?? ''}`,
    detail,
    url: run.url,
    nextStep,
    actions: nextStep === null ? [] : mend === null ? [again] : [mends[mend], again],
    subjectId: run.id,
  })
}

const mends: Readonly<Record<RunMend, TimelineAction>> = {
  connect: { kind: 'connect', integration: 'codehost' },
  choose: { kind: 'choose_workflow' },
}

/** Completes a title where the word beside it does not say enough. */
const endings: Readonly<Partial<Record<TestRunState, string>>> = {
  dispatching: ': starting',
  unknown: ': unknown whether it started',
  queued: ': queued',
  passed: ': passed',
  errored: ': ended without a result',
  timed_out: ': timed out',
  cancelled: ': cancelled',
}
