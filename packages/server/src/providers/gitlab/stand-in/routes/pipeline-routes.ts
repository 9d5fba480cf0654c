import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import type { GitlabApi, ProjectCall } from '../access.ts'
import type { PipelineActivity } from '../activity/create-pipeline-activity.ts'
import { bodyOf, textOf } from '../body.ts'
import { nameOf, readInputs } from '../ci-file.ts'
import { badParameter, forbidden, refuse } from '../errors.ts'
import { answerPage } from '../paging.ts'
import type { GitlabParts } from '../parts.ts'
import { toPipeline, toStartedPipeline, toWholePipeline } from '../shapes/pipeline.ts'
import { presentReport, presentSummary } from '../shapes/test-report.ts'
import { accessLevels, type GitlabPipeline, type GitlabState } from '../state.ts'

const finished: ReadonlySet<string> = new Set(['success', 'failed', 'canceled', 'skipped'])

/**
 * Creates the routes of pipelines.
 *
 * @see https://docs.gitlab.com/api/pipelines/
 */
export function pipelineRoutes(
  { state }: GitlabParts,
  api: GitlabApi,
  activity: PipelineActivity,
): Route[] {
  const read = (path: string, handle: HandlePipeline) =>
    api.inProject(`GET /pipelines/:pipeline_id${path}`, ofPipeline(handle), 'reporter')
  return [
    api.inProject('GET /pipelines', (call) => listPipelines(state, call), 'reporter'),
    api.inProject('POST /pipeline', (call) => createPipeline(state, activity, call), 'developer'),
    read('', ({ project }, pipeline) => json(toWholePipeline(state, project, pipeline))),
    read('/variables', (call, { user, variables }) =>
      // Variables may hold secrets: only their author and maintainers read them.
      user.id === call.user.id || isMaintainer(call)
        ? json(
            variables.map(({ key, value }) => ({
              key,
              value,
              variable_type: 'env_var',
              raw: false,
            })),
          )
        : forbidden(),
    ),
    read('/test_report', (_call, pipeline) => json(presentReport(pipeline))),
    read('/test_report_summary', (_call, pipeline) => json(presentSummary(pipeline))),
  ]
}

type HandlePipeline = (call: ProjectCall, pipeline: GitlabPipeline) => Answer

function ofPipeline(handle: HandlePipeline) {
  return (call: ProjectCall) => {
    const pipeline = call.project.pipelines.get(Number(call.request.params['pipeline_id']))
    return pipeline === undefined ? refuse(404, '404 Not found') : handle(call, pipeline)
  }
}

function isMaintainer({ project, user }: ProjectCall): boolean {
  return accessLevels[project.members.get(user.id) ?? 'guest'] >= accessLevels.maintainer
}

function listPipelines(state: GitlabState, { request, project }: ProjectCall): Answer {
  const { query } = request
  const by = query.get('order_by') ?? 'id'
  if (!['id', 'status', 'ref', 'updated_at', 'user_id'].includes(by)) {
    return badParameter('order_by does not have a valid value')
  }
  const value = (pipeline: GitlabPipeline): number | string =>
    by === 'updated_at'
      ? pipeline.updatedAt.getTime()
      : by === 'status' || by === 'ref'
        ? pipeline[by]
        : pipeline.id
  const matching = [...project.pipelines.values()]
    .filter((pipeline) => isFound(query, pipeline))
    .toSorted((one, other) => (value(one) < value(other) ? -1 : 1))
  const sorted = query.get('sort') === 'asc' ? matching : matching.toReversed()
  return answerPage(state, request, sorted, (one) => toPipeline(state, project, one))
}

function isFound(query: URLSearchParams, pipeline: GitlabPipeline): boolean {
  const { status, source, ref, sha, name, user, createdAt, updatedAt } = pipeline
  const exact = { status, source, ref, sha, name, username: user.username }
  const times = { created: createdAt, updated: updatedAt }
  const scope = query.get('scope')
  return (
    Object.entries(exact).every(([field, value]) => (query.get(field) ?? value) === value) &&
    Object.entries(times).every(([field, at]) => {
      const after = query.get(`${field}_after`)
      const before = query.get(`${field}_before`)
      return (
        (after === null || at.getTime() >= Date.parse(after)) &&
        (before === null || at.getTime() <= Date.parse(before))
      )
    }) &&
    (scope === null ||
      scope === status ||
      (scope === 'finished' && finished.has(status)) ||
      (scope === 'branches' && !pipeline.isTag) ||
      (scope === 'tags' && pipeline.isTag))
  )
}

function createPipeline(state: GitlabState, activity: PipelineActivity, call: ProjectCall): Answer {
  const { request, project, user } = call
  const body = bodyOf(request)
  const ref = textOf(body['ref'])
  if (ref === undefined) return badParameter('ref is missing')
  const variables = readVariables(body['variables'])
  if (variables === undefined) return badParameter('variables is invalid')
  // A commit is no ref here: a pipeline runs on a branch or a tag.
  if (!project.branches.has(ref) && !project.tags.has(ref)) return invalid('Reference not found')
  if (project.ci === undefined) return invalid('Missing CI config file')
  if (variables.length > 0 && !mayStartWithVariables(call)) {
    return invalid('Insufficient permissions to set pipeline variables')
  }
  const inputs = readInputs(project.ci.inputs, inputValuesOf(state, body['inputs']))
  if ('violation' in inputs) return invalid(inputs.violation)
  const name = nameOf(project.ci, inputs.values, variables)
  const pipeline = activity.startPipeline(project, {
    ref,
    user,
    source: 'api',
    inputs: inputs.values,
    variables,
    jobs: project.ci.jobs,
    ...(name !== null && { name }),
  })
  return json(toStartedPipeline(state, project, pipeline), 201)
}

/** A version that has no inputs ignores them without a word. */
function inputValuesOf({ settings }: GitlabState, values: unknown): Record<string, unknown> {
  const [major = 0, minor = 0] = settings.version.split('.').map(Number)
  const hasInputs = major > 18 || (major === 18 && minor >= 1)
  return hasInputs && typeof values === 'object' && values !== null
    ? Object.fromEntries(Object.entries(values))
    : {}
}

function mayStartWithVariables({ project, user }: ProjectCall): boolean {
  const { variablesRole, members } = project
  if (variablesRole === 'no_one_allowed') return false
  return accessLevels[members.get(user.id) ?? 'guest'] >= accessLevels[variablesRole]
}

function readVariables(
  value: unknown,
): readonly { readonly key: string; readonly value: string }[] | undefined {
  if (value === undefined) return []
  if (!Array.isArray(value)) return undefined
  const read = value.map((entry: unknown) => {
    const { key, value: text } = Object.fromEntries(Object.entries(entry ?? {}))
    return typeof key === 'string' && typeof text === 'string' ? { key, value: text } : undefined
  })
  const whole = read.flatMap((entry) => entry ?? [])
  return whole.length === read.length ? whole : undefined
}

function invalid(text: string): Answer {
  return refuse(400, { base: [text] })
}
