import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import { notFound } from '../errors.ts'
import { runPartsOf } from '../run-parts.ts'
import { toWorkflowRun } from '../shapes/workflow-run.ts'
import type { GithubRun } from '../state.ts'
import { findWorkflow } from './create-workflow-routes.ts'
import { pageOf } from '../page-of.ts'
import { toRoute, type RepositoryRequest, type RepositoryParts } from './repository-route.ts'

const read = ['actions', 'read'] as const

/** Creates the routes of workflow runs. Lists are newest first. */
export function createRunRoutes(deps: RepositoryParts): Route[] {
  return [
    toRoute(deps, 'GET /actions/workflows/:workflow/runs', read, (request) => {
      const { repository, params } = request
      const workflow = findWorkflow(repository, params['workflow'])
      if (workflow === undefined) return notFound()
      const runs = [...repository.runs.values()]
      return listRuns(
        request,
        runs.filter(({ workflowId }) => workflowId === workflow.id),
      )
    }),
    toRoute(deps, 'GET /actions/runs/:run', read, getRun),
  ]
}

function listRuns(request: RepositoryRequest, runs: readonly GithubRun[]): Answer {
  const { repository, addresses, query } = request
  const matches = runs.filter((run) => matchesRun(query, run)).toReversed()
  const { items, headers } = pageOf(request, matches)
  const presented = items.map((run) =>
    toWorkflowRun(addresses, repository, runPartsOf(repository, run)),
  )
  return json({ total_count: matches.length, workflow_runs: presented }, 200, headers)
}

function getRun({ repository, addresses, params }: RepositoryRequest): Answer {
  const run = repository.runs.get(Number(params['run']))
  return run === undefined
    ? notFound()
    : json(toWorkflowRun(addresses, repository, runPartsOf(repository, run)))
}

/** Returns whether a run matches the filters of a list. Example: `event=push&created=2026-01-31T09:00:00Z..2026-01-31T10:00:00Z`. */
function matchesRun(query: URLSearchParams, { event, createdAt }: GithubRun): boolean {
  if ((query.get('event') ?? event) !== event) return false
  const [from = '', to = ''] = (query.get('created') ?? '').split('..')
  const second = Math.floor(createdAt.getTime() / 1000) * 1000
  return !(second < Date.parse(from)) && !(second > Date.parse(to))
}
