import { findRef } from '../../../../../../sandbox/src/models/git.ts'
import { runToItsEnd } from '../../../../../../sandbox/src/models/run-to-its-end.ts'
import { latestAttemptOf, runPartsOf } from '../run-parts.ts'
import { addressesOf } from '../shapes/addresses.ts'
import { toWorkflowRunEvent } from '../shapes/workflow-run-event.ts'
import type {
  GithubAccount,
  GithubPullRequest,
  GithubRepository,
  GithubRun,
  GithubRunAttempt,
  GithubState,
  GithubWorkflow,
  GithubWorkflowInput,
  RunConclusion,
  WorkflowState,
} from '../state.ts'
import type { ActivityDeps } from './activity-deps.ts'

/** Describes a workflow file to add. */
export interface NewWorkflow {
  readonly name: string
  /** Names the file below `.github/workflows/`. Example: `e2e.yml`. */
  readonly file: string
  /** Lists the inputs of `workflow_dispatch`. A name alone is an optional text. Default: it has no such trigger. */
  readonly inputs?: readonly (string | GithubWorkflowInput)[]
  /** Example: `E2E ${{ inputs.deployment }}`. */
  readonly runName?: string
  /** Sets the course of its runs. Default: they wait for `startRun` and `finishRun`. */
  readonly autoRun?: GithubWorkflow['autoRun']
  /** Default `active`. */
  readonly state?: WorkflowState
}

/** Describes a run to request. */
export interface NewRun {
  readonly workflow: GithubWorkflow
  readonly event: GithubRun['event']
  /** Names a branch or a tag. */
  readonly ref: string
  readonly actor: GithubAccount
  readonly inputs?: Readonly<Record<string, string>>
  /** Holds the pull request that it is of. Then it is of its head, whatever `ref` says. */
  readonly pullRequest?: GithubPullRequest
}

/** Describes the steps in the life of a workflow run. Each step sends a `workflow_run` webhook to the apps. */
export interface RunActivity {
  addWorkflow(repository: GithubRepository, added: NewWorkflow): GithubWorkflow
  /** Queues a run, without checking that its workflow may be started. @throws {Error} when the ref is unknown. */
  requestRun(repository: GithubRepository, requested: NewRun): GithubRun
  /** @throws {Error} when it is not queued. */
  startRun(repository: GithubRepository, run: GithubRun): void
  /** @throws {Error} when it has ended already. One that never started may end, as a cancelled one does. */
  finishRun(repository: GithubRepository, run: GithubRun, conclusion: RunConclusion): void
  /** Queues the same run again as its next attempt. @throws {Error} when it has not ended. */
  rerun(repository: GithubRepository, run: GithubRun, actor: GithubAccount): void
}

/** Creates the activity of runs on the state of the sandbox. */
export function createRunActivity({ state, emit }: ActivityDeps): RunActivity {
  const emitEvent = (
    action: 'requested' | 'in_progress' | 'completed',
    repository: GithubRepository,
    run: GithubRun,
  ) => {
    const parts = runPartsOf(repository, run)
    const sender = parts.attempt.triggeringActor
    const body = toWorkflowRunEvent(addressesOf(state), repository, { ...parts, sender })
    emit({ name: 'workflow_run', action, repository, payload: { action, ...body } })
  }
  const activity: RunActivity = {
    addWorkflow: (repository, added) => storeWorkflow(state, repository, added),
    requestRun(repository, requested) {
      const run = storeRun(state, repository, requested)
      begin(repository, run)
      return run
    },
    startRun(repository, run) {
      const attempt = latestAttemptOf(run)
      if (attempt.status !== 'queued') throw new Error(`Run ${run.id} is ${attempt.status}.`)
      const now = state.clock.now()
      Object.assign(attempt, { status: 'in_progress', startedAt: now, updatedAt: now })
      emitEvent('in_progress', repository, run)
    },
    finishRun(repository, run, conclusion) {
      const attempt = latestAttemptOf(run)
      if (attempt.status === 'completed') throw new Error(`Run ${run.id} has ended.`)
      attempt.status = 'completed'
      attempt.conclusion = conclusion
      attempt.updatedAt = state.clock.now()
      emitEvent('completed', repository, run)
    },
    rerun(repository, run, actor) {
      const { status, number } = latestAttemptOf(run)
      if (status !== 'completed') throw new Error(`Run ${run.id} is ${status}.`)
      run.attempts.push(createAttempt(state, number + 1, actor))
      begin(repository, run)
    },
  }
  const begin = (repository: GithubRepository, run: GithubRun) => {
    emitEvent('requested', repository, run)
    followCourse(state, activity, repository, run)
  }
  return activity
}

/** Runs a queued run to its end, if its workflow sets its course. */
function followCourse(
  state: GithubState,
  activity: RunActivity,
  repository: GithubRepository,
  run: GithubRun,
): void {
  const autoRun = repository.workflows.get(run.workflowId)?.autoRun
  const course = typeof autoRun === 'function' ? autoRun(run) : autoRun
  if (course === undefined) return
  const attempt = latestAttemptOf(run)
  const isStill = (status: GithubRunAttempt['status']) =>
    state.repositories.get(repository.id) === repository &&
    latestAttemptOf(run) === attempt &&
    attempt.status === status
  runToItsEnd({
    clock: state.clock,
    course,
    isWaiting: () => isStill('queued'),
    isRunning: () => isStill('in_progress'),
    start: () => activity.startRun(repository, run),
    finish: () => activity.finishRun(repository, run, course.conclusion),
    startedAt: () => attempt.startedAt,
  })
}

function storeWorkflow(
  state: GithubState,
  { workflows }: GithubRepository,
  added: NewWorkflow,
): GithubWorkflow {
  const workflow: GithubWorkflow = {
    id: state.nextId(),
    name: added.name,
    path: `.github/workflows/${added.file}`,
    state: added.state ?? 'active',
    inputs: added.inputs?.map((input) => (typeof input === 'string' ? { name: input } : input)),
    runName: added.runName,
    autoRun: added.autoRun,
    createdAt: state.clock.now(),
  }
  workflows.set(workflow.id, workflow)
  return workflow
}

function storeRun(
  state: GithubState,
  repository: GithubRepository,
  { workflow, event, ref, actor, inputs = {}, pullRequest }: NewRun,
): GithubRun {
  const target =
    pullRequest === undefined
      ? findRef(repository, ref)
      : { name: pullRequest.branch, sha: pullRequest.headSha }
  const commit = target && repository.commits.get(target.sha)
  if (target === undefined || commit === undefined) throw new Error(`No ref found for: ${ref}`)
  const earlier = [...repository.runs.values()].filter((run) => run.workflowId === workflow.id)
  const run: GithubRun = {
    id: state.nextId(),
    workflowId: workflow.id,
    runNumber: earlier.length + 1,
    event,
    pullRequest,
    headBranch: target.name,
    headSha: target.sha,
    displayTitle: titleOf(workflow, { event, inputs, message: commit.message }),
    inputs,
    actor,
    createdAt: state.clock.now(),
    attempts: [createAttempt(state, 1, actor)],
  }
  repository.runs.set(run.id, run)
  return run
}

function createAttempt(
  { clock }: GithubState,
  number: number,
  triggeringActor: GithubAccount,
): GithubRunAttempt {
  const now = clock.now()
  return {
    number,
    triggeringActor,
    status: 'queued',
    conclusion: null,
    startedAt: now,
    updatedAt: now,
  }
}

/**
 * Returns the title of a run: its workflow's `run-name`, or else the first line of the pushed commit, or the
 * workflow's name. A missing input becomes empty.
 */
function titleOf(
  { name, runName }: Pick<GithubWorkflow, 'name' | 'runName'>,
  from: Pick<GithubRun, 'event' | 'inputs'> & { readonly message: string },
): string {
  if (runName === undefined) {
    return from.event === 'push' ? (from.message.split('\n')[0] ?? '') : name
  }
  return runName.replaceAll(
    /\$\{\{ *inputs\.([\w-]+) *\}\}/g,
    (_, input: string) => from.inputs[input] ?? '',
  )
}
