import type { ForgejoRepository, ForgejoRun, ForgejoRunStatus, ForgejoState } from '../state.ts'

/** Sets how often the clock is read, because tests may move it at any time. */
const pollEveryMs = 20

/** Changes the state of a run, and tells the webhooks. */
export type SetRunStatus = (
  repository: ForgejoRepository,
  run: ForgejoRun,
  status: ForgejoRunStatus,
) => void

/**
 * Runs a run that was started on request to its end, if its repository has an `autoRun`. Each step comes after the response to the
 * caller. It ignores runs that somebody else controls, and those that a reset has removed.
 */
export function followAutoRun(
  { state, set }: { readonly state: ForgejoState; readonly set: SetRunStatus },
  repository: ForgejoRepository,
  run: ForgejoRun,
): void {
  const autoRun = run.event === 'workflow_dispatch' ? repository.autoRun?.(run) : undefined
  if (autoRun === undefined) return
  const { status, durationMs = 0, lastStep, afterwards } = autoRun
  const isStill = (expected: ForgejoRunStatus) =>
    state.repositories.get(repository.id) === repository && run.status === expected
  const finish = () => {
    if (!isStill('running')) return
    set(repository, run, status)
    afterwards?.()
  }
  const finishWhenDue = () => {
    if (!isStill('running')) return
    if (state.clock.now().getTime() < (run.startedAt?.getTime() ?? 0) + durationMs) {
      setTimeout(finishWhenDue, pollEveryMs).unref()
    } else if (lastStep === undefined) {
      finish()
    } else {
      void lastStep().then(finish, finish)
    }
  }
  setImmediate(() => {
    if (!isStill('waiting')) return
    set(repository, run, 'running')
    setImmediate(finishWhenDue)
  })
}
