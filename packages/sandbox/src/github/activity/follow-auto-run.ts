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
  const finishWhenDue = () => {
    if (!isStill('in_progress')) return
    const dueAtMs = attempt.startedAt.getTime() + (autoRun.durationMs ?? 0)
    if (state.clock.now().getTime() >= dueAtMs) {
      activity.finishRun(repository, run, autoRun.conclusion)
    } else {
      setTimeout(finishWhenDue, lookEveryMs).unref()
    }
  }
  setImmediate(() => {
    if (!isStill('queued')) return
    activity.startRun(repository, run)
    setImmediate(finishWhenDue)
  })
}
