import { runToItsEnd } from '../../run-to-its-end.ts'
import type { GitlabPipeline, GitlabPipelineStatus, GitlabProject, GitlabState } from '../state.ts'

/** Changes the state of a pipeline, and tells the hooks. */
export type SetPipelineStatus = (
  project: GitlabProject,
  pipeline: GitlabPipeline,
  status: GitlabPipelineStatus,
) => void

/**
 * Runs a created pipeline to its end, if its project has an `autoRun`. Each step comes after the response to the
 * caller. It ignores pipelines that somebody else controls, and those that a reset has removed.
 */
export function followAutoRun(
  { state, set }: { readonly state: GitlabState; readonly set: SetPipelineStatus },
  project: GitlabProject,
  pipeline: GitlabPipeline,
): void {
  const autoRun = pipeline.source === 'api' ? project.autoRun?.(pipeline) : undefined
  if (autoRun === undefined) return
  const { status, durationMs, lastStep, afterwards } = autoRun
  const isStill = (expected: GitlabPipelineStatus) =>
    state.projects.get(project.id) === project && pipeline.status === expected
  runToItsEnd({
    clock: state.clock,
    isWaiting: () => isStill('created'),
    isRunning: () => isStill('running'),
    start: () => set(project, pipeline, 'running'),
    finish() {
      set(project, pipeline, status)
      afterwards?.()
    },
    startedAt: () => pipeline.startedAt,
    durationMs,
    lastStep,
  })
}
