import { json } from '../../http/answers.ts'
import type { Answer, Route } from '../../http/route.ts'
import { notFound, refuse } from '../errors.ts'
import { latestAttemptOf, runPartsOf } from '../run-parts.ts'
import { toWorkflowRun } from '../shapes/workflow-run.ts'
import type { GithubRepository, GithubRun } from '../state.ts'
import { findWorkflow } from './create-workflow-routes.ts'
import { pageOf } from '../page-of.ts'
import { toRoute, type RepositoryRequest, type RepositoryParts } from './repository-route.ts'

const read = ['actions', 'read'] as const
const write = ['actions', 'write'] as const

/** Creates the routes of workflow runs. Lists are newest first. */
export function createRunRoutes(deps: RepositoryParts): Route[] {
  return [
    toRoute(deps, 'GET /actions/runs', read, (request) =>
      listRuns(request, [...request.repository.runs.values()]),
    ),
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
    toRoute(deps, 'GET /actions/runs/:run/attempts/:attempt', read, getRun),
    toRoute(deps, 'GET /actions/runs/:run/artifacts', read, ({ repository, params }) =>
      findRun(repository, params['run']) === undefined ? notFound() : json(noArtifacts),
    ),
    toRoute(deps, 'GET /actions/artifacts', read, () => json(noArtifacts)),
    toRoute(deps, 'POST /actions/runs/:run/rerun', write, ({ repository, params, actor }) => {
      const run = findRun(repository, params['run'])
      if (run === undefined) return notFound()
      if (latestAttemptOf(run).status !== 'completed') {
        return refuse(403, 'This workflow is already running')
      }
      deps.activity.rerun(repository, run, actor)
      return json({}, 201)
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

/** Returns whether a run matches the filters of a list. `status` may be a status or a conclusion. */
function matchesRun(query: URLSearchParams, run: GithubRun): boolean {
  const { status, conclusion } = latestAttemptOf(run)
  const facts = [
    ['event', [run.event]],
    ['head_sha', [run.headSha]],
    ['branch', [run.headBranch]],
    ['actor', [run.actor.login]],
    ['status', [status, conclusion]],
  ] as const
  const fits = facts.every(([name, values]) => {
    const filter = query.get(name)
    return filter === null || values.some((value) => value === filter)
  })
  return fits && isWithin(query.get('created'), run.createdAt)
}

/**
 * Returns whether a date is in a range of GitHub's search. Examples: `2026-01-31`, `>=2026-01-31T09:00:00Z`,
 * `2026-01-01..2026-01-31`, `*..2026-01-31`. A text that is no range includes everything.
 */
function isWithin(range: string | null, at: Date): boolean {
  if (range === null) return true
  const second = Math.floor(at.getTime() / 1000) * 1000
  const [, sign, bound] = /^(>=?|<=?)(.+)$/.exec(range) ?? []
  if (bound === undefined) {
    const [from = '', to = from] = range.split('..')
    return !(second < Date.parse(from)) && !(second > endOf(to))
  }
  if (sign === '>') return !(second <= endOf(bound))
  if (sign === '>=') return !(second < Date.parse(bound))
  if (sign === '<') return !(second >= Date.parse(bound))
  return !(second > endOf(bound))
}

/** A day ends with its last second. */
function endOf(bound: string): number {
  return Date.parse(/^\d{4}-\d\d-\d\d$/.test(bound) ? `${bound}T23:59:59Z` : bound)
}
