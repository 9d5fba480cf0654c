import { empty, json } from '../../../../../../sandbox/src/http/answers.ts'
import { readJson } from '../../../../../../sandbox/src/http/fields.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import { unknownRoute, type ForgejoApi, type RepositoryCall } from '../access.ts'
import { notFound, refuse } from '../errors.ts'
import { findCommit } from '../../../../../../sandbox/src/models/git.ts'
import { pageOf } from '../paging.ts'
import type { ForgejoParts } from '../parts.ts'
import { presentRun } from '../shapes.ts'
import type { ForgejoRun, ForgejoState, ForgejoWorkflow } from '../state.ts'
import { readInputs } from '../workflow-file.ts'
import { isWorkflowFolder } from './repository-routes.ts'

/**
 * Creates the routes of workflows and runs. Forgejo has none that lists workflows.
 *
 * @see https://codeberg.org/api/swagger#/repository/DispatchWorkflow
 */
export function actionRoutes(parts: ForgejoParts, api: ForgejoApi): Route[] {
  const { state } = parts
  return [
    api.inRepository('GET /actions/runs', (call) => listRuns(state, call)),
    api.inRepository('GET /actions/runs/:id', ({ request, repository }) => {
      if (!state.settings.hasRuns) return unknownRoute()
      const run = repository.runs.get(Number(request.params['id']))
      return run === undefined ? notFound(state) : json(presentRun(state, repository, run))
    }),
    api.inRepository(
      'POST /actions/workflows/:file/dispatches',
      (call) => dispatch(parts, call),
      'write',
    ),
  ]
}

/** Lists runs, the newest first, with the total in the body and no links. */
function listRuns(state: ForgejoState, { request, repository }: RepositoryCall): Answer {
  if (!state.settings.hasRuns) return unknownRoute()
  const event = request.query.get('event')
  const all = [...repository.runs.values()]
    .filter((run) => event === null || run.event === event)
    .toReversed()
  const { items } = pageOf(state, request, all)
  return json({
    workflow_runs: items.map((run) => presentRun(state, repository, run)),
    total_count: all.length,
  })
}

function dispatch({ state, activity }: ForgejoParts, call: RepositoryCall): Answer {
  const { request, repository, user } = call
  const { ref, inputs, return_run_info: asksAsForgejo } = readJson(request)
  if (typeof ref !== 'string' || ref === '') return refuse(state, 422, 'ref is required parameter')
  const workflow = repository.workflows.get(request.params['file'] ?? '')
  const isThere = workflow !== undefined && isWorkflowFolder(state, repository.workflowFolder)
  if (!isThere || findCommit(repository, ref) === undefined) return notFound(state)
  // An instance takes a workflow that nobody may start for trouble of its own.
  if (workflow.inputs === undefined) return refuse(state, 500, '')
  const read = readInputs(workflow, recordOf(inputs))
  if ('missing' in read) return refuse(state, 400, `input required for '${read.missing}'`)
  const event = 'workflow_dispatch'
  const run = activity.startRun(repository, { workflow, ref, user, event, inputs: read.values })
  const asksAsGitea = request.query.get('return_run_details') === 'true'
  return answerStart(call, state, {
    run,
    workflow,
    asksAsForgejo: asksAsForgejo === true,
    asksAsGitea,
  })
}

function answerStart(
  { repository }: RepositoryCall,
  { settings, baseUrl }: ForgejoState,
  of: {
    readonly run: ForgejoRun
    readonly workflow: ForgejoWorkflow
    readonly asksAsForgejo: boolean
    readonly asksAsGitea: boolean
  },
): Answer {
  const { id, index } = of.run
  if (!settings.namesRuns) return empty()
  if (settings.product === 'forgejo') {
    return of.asksAsForgejo ? json({ id, run_number: index, jobs: ['test'] }, 201) : empty()
  }
  if (!of.asksAsGitea) return empty()
  return json({
    workflow_run_id: id,
    html_url: `${baseUrl}/${repository.fullName}/actions/runs/${index}`,
    run_url: `${baseUrl}/api/v1/repos/${repository.fullName}/actions/runs/${id}`,
  })
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {}
}
