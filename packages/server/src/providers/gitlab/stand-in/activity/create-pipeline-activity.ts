import { findCommit } from '../../../../../../sandbox/src/models/git.ts'
import { runToItsEnd } from '../../../../../../sandbox/src/models/run-to-its-end.ts'
import type { GitlabHooks } from '../hooks/create-hooks.ts'
import { toPipelineHook } from '../shapes/pipeline.ts'
import type {
  GitlabJob,
  GitlabPipeline,
  GitlabPipelineStatus,
  GitlabProject,
  GitlabState,
  GitlabTestCase,
  GitlabUser,
} from '../state.ts'

/** Describes a pipeline to create. */
export interface NewPipeline {
  readonly ref: string
  readonly user: GitlabUser
  /** Default `push`. */
  readonly source?: GitlabPipeline['source']
  readonly inputs?: Readonly<Record<string, unknown>>
  readonly variables?: GitlabPipeline['variables']
  /** Holds the name by `workflow:name`. */
  readonly name?: string
  /** Lists its jobs. Default: one named `test`. */
  readonly jobs?: readonly Pick<GitlabJob, 'name' | 'stage' | 'environment'>[]
}

export interface PipelineActivity {
  /** Creates a pipeline on a branch or tag, as `created`, and sends the hooks. */
  startPipeline(project: GitlabProject, made: NewPipeline): GitlabPipeline
  /** Changes the state, and sends the hooks. An end ends its jobs too. */
  setPipelineStatus(
    project: GitlabProject,
    pipeline: GitlabPipeline,
    status: GitlabPipelineStatus,
  ): void
  /** Creates its jobs anew, as a retry does: the pipeline keeps its id, and nothing counts the attempts. */
  retryPipeline(project: GitlabProject, pipeline: GitlabPipeline): void
  /** Adds the cases of the JUnit reports that its jobs declare. */
  setTestReport(
    pipeline: GitlabPipeline,
    tests: readonly GitlabTestCase[],
    suiteError?: string,
  ): void
}

const ended: ReadonlySet<GitlabPipelineStatus> = new Set([
  'success',
  'failed',
  'canceled',
  'skipped',
])

export function createPipelineActivity(deps: {
  readonly state: GitlabState
  readonly hooks: Pick<GitlabHooks, 'emit'>
}): PipelineActivity {
  const { state } = deps
  const sendHooks = (project: GitlabProject, pipeline: GitlabPipeline) => {
    const payload = toPipelineHook(state, project, pipeline)
    deps.hooks.emit({ project, trigger: 'pipeline_events', name: 'Pipeline Hook', payload })
  }
  const setPipelineStatus: PipelineActivity['setPipelineStatus'] = (project, pipeline, status) => {
    const now = state.clock.now()
    const finishedAt = ended.has(status) ? now : undefined
    const startedAt = status === 'running' ? now : pipeline.startedAt
    Object.assign(pipeline, { status, updatedAt: now, startedAt, finishedAt })
    for (const job of pipeline.jobs) Object.assign(job, { status, finishedAt })
    sendHooks(project, pipeline)
  }
  /** Runs a created pipeline to its end, if its project sets the course of those that the API starts. */
  const follow = (project: GitlabProject, pipeline: GitlabPipeline) => {
    const course = pipeline.source === 'api' ? project.autoRun?.(pipeline) : undefined
    if (course === undefined) return
    const isStill = (expected: GitlabPipelineStatus) =>
      state.projects.get(project.id) === project && pipeline.status === expected
    runToItsEnd({
      clock: state.clock,
      course,
      isWaiting: () => isStill('created'),
      isRunning: () => isStill('running'),
      start: () => setPipelineStatus(project, pipeline, 'running'),
      finish: () => setPipelineStatus(project, pipeline, course.status),
      startedAt: () => pipeline.startedAt,
    })
  }
  return {
    startPipeline(project, made) {
      const pipeline = createPipeline(state, project, made)
      project.pipelines.set(pipeline.id, pipeline)
      sendHooks(project, pipeline)
      follow(project, pipeline)
      return pipeline
    },
    setPipelineStatus,
    retryPipeline(project, pipeline) {
      setPipelineStatus(project, pipeline, 'created')
      follow(project, pipeline)
    },
    setTestReport(pipeline, tests, suiteError) {
      pipeline.tests = tests
      pipeline.suiteError = suiteError ?? null
    },
  }
}

function createPipeline(
  state: GitlabState,
  project: GitlabProject,
  made: NewPipeline,
): GitlabPipeline {
  const { ref, user, source = 'push', inputs = {}, variables = [], name = null } = made
  const sha = findCommit(project, ref)?.sha
  if (sha === undefined) throw new Error(`There is no ref ${ref}.`)
  const now = state.clock.now()
  const { jobs = [{ name: 'test', stage: 'test', environment: undefined }] } = made
  return {
    id: state.nextId(),
    iid: project.pipelines.size + 1,
    name,
    ref,
    isTag: project.tags.has(ref),
    sha,
    source,
    user,
    inputs,
    variables,
    status: 'created',
    createdAt: now,
    updatedAt: now,
    startedAt: undefined,
    finishedAt: undefined,
    jobs: jobs.map((job) => ({
      ...job,
      id: state.nextId(),
      status: 'created',
      createdAt: now,
      finishedAt: undefined,
    })),
    tests: undefined,
    suiteError: null,
  }
}
