import { json } from '../../http/answers.ts'
import type { Answer, Route } from '../../http/route.ts'
import { notFound, refuse } from '../errors.ts'
import { latestAttemptOf, runPartsOf } from '../run-parts.ts'
import { toWorkflowRun } from '../shapes/workflow-run.ts'
import type { GithubRepository, GithubRun } from '../state.ts'
import { findWorkflow } from './create-workflow-routes.ts'
import { matchesRun } from './matches-run.ts'
import { pageOf } from '../page-of.ts'
import { toRoute, type RepositoryRequest, type RepositoryRouteDeps } from './repository-route.ts'

const read = ['actions', 'read'] as const
const write = ['actions', 'write'] as const

/** Creates the routes of workflow runs. Lists are newest first. */
export function createRunRoutes(deps: RepositoryRouteDeps): Route[] {
  return [
    toRoute(deps, {
      at: 'GET /actions/runs',
      permission: read,
      handle: (request) => listRuns(request, [...request.repository.runs.values()]),
    }),
    toRoute(deps, {
      at: 'GET /actions/workflows/:workflow/runs',
      permission: read,
      handle(request) {
        const { repository, params } = request
        const workflow = findWorkflow(repository, params['workflow'])
        if (workflow === undefined) return notFound()
        const runs = [...repository.runs.values()]
        return listRuns(
          request,
          runs.filter(({ workflowId }) => workflowId === workflow.id),
        )
      },
    }),
    toRoute(deps, { at: 'GET /actions/runs/:run', permission: read, handle: getRun }),
    toRoute(deps, {
      at: 'GET /actions/runs/:run/attempts/:attempt',
      permission: read,
      handle: getRun,
    }),
    toRoute(deps, {
      at: 'GET /actions/runs/:run/artifacts',
      permission: read,
      handle: ({ repository, params }) =>
        findRun(repository, params['run']) === undefined ? notFound() : json(noArtifacts),
    }),
    toRoute(deps, {
      at: 'GET /actions/artifacts',
      permission: read,
      handle: () => json(noArtifacts),
    }),
    toRoute(deps, {
      at: 'POST /actions/runs/:run/rerun',
      permission: write,
      handle({ repository, params, actor }) {
        const run = findRun(repository, params['run'])
        if (run === undefined) return notFound()
        if (latestAttemptOf(run).status !== 'completed') {
          return refuse(403, 'This workflow is already running')
        }
        deps.activity.rerun(repository, run, actor)
        return json({}, 201)
      },
    }),
  ]
}

/** Runs of the sandbox have no artifacts. */
const noArtifacts = { total_count: 0, artifacts: [] }

function findRun({ runs }: GithubRepository, id = ''): GithubRun | undefined {
  return runs.get(Number(id))
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
  const run = findRun(repository, params['run'])
  if (run === undefined) return notFound()
  const attemptNumber = params['attempt'] ?? String(latestAttemptOf(run).number)
  const attempt = run.attempts.find(({ number }) => String(number) === attemptNumber)
  if (attempt === undefined) return notFound()
  return json(toWorkflowRun(addresses, repository, runPartsOf(repository, run, attempt)))
}
