import { runToItsEnd } from '../../run-to-its-end.ts'
import { latestAttemptOf } from '../run-parts.ts'
import type {
  AutoRun,
  GithubRepository,
  GithubRun,
  GithubState,
  RunConclusion,
  RunStatus,
} from '../state.ts'

/** Describes the steps of an automatic run. */
interface RunSteps {
  startRun(repository: GithubRepository, run: GithubRun): void
  finishRun(repository: GithubRepository, run: GithubRun, conclusion: RunConclusion): void
}

/**
 * Runs a queued run to its end, if its workflow has an `autoRun`. Each step comes after the response to the caller.
 * It ignores runs that somebody else controls, and those that a reset has removed.
 */
export function followAutoRun(
  deps: {
    readonly state: GithubState
    readonly activity: RunSteps
  },
  repository: GithubRepository,
  run: GithubRun,
): void {
  const { state, activity } = deps
  const autoRun = autoRunOf(repository, run)
  if (autoRun === undefined) return
  const { conclusion, durationMs, lastStep, afterwards } = autoRun
  const attempt = latestAttemptOf(run)
  const isStill = (status: RunStatus) =>
    state.repositories.get(repository.id) === repository &&
    latestAttemptOf(run) === attempt &&
    attempt.status === status
  runToItsEnd({
    clock: state.clock,
    isWaiting: () => isStill('queued'),
    isRunning: () => isStill('in_progress'),
    start: () => activity.startRun(repository, run),
    finish() {
      activity.finishRun(repository, run, conclusion)
      afterwards?.()
    },
    startedAt: () => attempt.startedAt,
    durationMs,
    lastStep,
  })
}

function autoRunOf({ workflows }: GithubRepository, run: GithubRun): AutoRun | undefined {
  const autoRun = workflows.get(run.workflowId)?.autoRun
  return typeof autoRun === 'function' ? autoRun(run) : autoRun
}
