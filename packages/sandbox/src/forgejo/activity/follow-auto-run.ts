import { runToItsEnd } from '../../run-to-its-end.ts'
import type { ForgejoRepository, ForgejoRun, ForgejoRunStatus, ForgejoState } from '../state.ts'

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
  const { status, durationMs, lastStep, afterwards } = autoRun
  const isStill = (expected: ForgejoRunStatus) =>
    state.repositories.get(repository.id) === repository && run.status === expected
  runToItsEnd({
    clock: state.clock,
    isWaiting: () => isStill('waiting'),
    isRunning: () => isStill('running'),
    start: () => set(repository, run, 'running'),
    finish() {
      set(repository, run, status)
      afterwards?.()
    },
    startedAt: () => run.startedAt,
    durationMs,
    lastStep,
  })
}
