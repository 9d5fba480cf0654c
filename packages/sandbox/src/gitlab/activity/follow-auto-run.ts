import type { GitlabPipeline, GitlabPipelineStatus, GitlabProject, GitlabState } from '../state.ts'

/** Sets how often the clock is read, because tests may move it at any time. */
const pollEveryMs = 20

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
  const { status, durationMs = 0, lastStep, afterwards } = autoRun
  const isStill = (expected: GitlabPipelineStatus) =>
    state.projects.get(project.id) === project && pipeline.status === expected
  const finish = () => {
    if (!isStill('running')) return
    set(project, pipeline, status)
    afterwards?.()
  }
  const finishWhenDue = () => {
    if (!isStill('running')) return
    if (state.clock.now().getTime() < (pipeline.startedAt?.getTime() ?? 0) + durationMs) {
      setTimeout(finishWhenDue, pollEveryMs).unref()
    } else if (lastStep === undefined) {
      finish()
    } else {
      void lastStep().then(finish, finish)
    }
  }
  setImmediate(() => {
    if (!isStill('created')) return
    set(project, pipeline, 'running')
    setImmediate(finishWhenDue)
  })
}
