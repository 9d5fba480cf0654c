import { latestAttemptOf } from '../run-parts.ts'
import type { GithubRepository, GithubRun, GithubState, RunStatus } from '../state.ts'
import type { RunActivity } from './create-run-activity.ts'

/** How often the clock is looked at, which may be put forward at any time. */
const lookEveryMs = 20

/**
 * Leads a run that was just queued to its end, if its workflow has an `autoRun`. Each step comes after whoever asked
 * has had their answer. A run that somebody else leads, or that a reset has forgotten, is left alone.
 */
export function followAutoRun(
  deps: {
    readonly state: GithubState
    readonly activity: Pick<RunActivity, 'startRun' | 'finishRun'>
  },
  repository: GithubRepository,
  run: GithubRun,
): void {
  const { state, activity } = deps
  const autoRun = repository.workflows.get(run.workflowId)?.autoRun
  if (autoRun === undefined) return
  const attempt = latestAttemptOf(run)
  const isStill = (status: RunStatus) =>
    state.repositories.get(repository.id) === repository &&
    latestAttemptOf(run) === attempt &&
    attempt.status === status
  const finish = () => {
    if (isStill('in_progress')) activity.finishRun(repository, run, autoRun.conclusion)
  }
  setImmediate(() => {
    if (!isStill('queued')) return
    activity.startRun(repository, run)
    whenDue(state, attempt.startedAt.getTime() + (autoRun.durationMs ?? 0), finish)
  })
}

function whenDue(state: GithubState, atMs: number, act: () => void): void {
  if (state.clock.now().getTime() >= atMs) setImmediate(act)
  else setTimeout(() => whenDue(state, atMs, act), lookEveryMs).unref()
}
