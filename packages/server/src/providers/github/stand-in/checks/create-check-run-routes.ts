import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import { botLoginOf } from '../create-app.ts'
import { notFound, refuse } from '../errors.ts'
import { pageOf } from '../page-of.ts'
import {
  toRoute,
  type RepositoryParts,
  type RepositoryRequest,
} from '../routes/repository-route.ts'
import type { GithubApp, GithubCheckRun, GithubState } from '../state.ts'
import { toAnnotation, toCheckRun } from './check-run-shape.ts'
import { readCheckRun, type CheckRunFields } from './read-check-run.ts'

/**
 * Creates the routes of check runs, which apps write and everybody reads.
 *
 * @see https://docs.github.com/en/rest/checks/runs
 */
export function createCheckRunRoutes(deps: RepositoryParts): Route[] {
  const [read, write] = [['checks', 'read'] as const, ['checks', 'write'] as const]
  const { state } = deps
  const show = ({ repository }: RepositoryRequest, run: GithubCheckRun, status = 200) =>
    json(toCheckRun(state, repository, run), status)
  return [
    toRoute(deps, 'POST /check-runs', write, (request) => {
      const made = create(state, request)
      return 'refused' in made ? made.refused : show(request, made.run, 201)
    }),
    toRoute(
      deps,
      'PATCH /check-runs/:run',
      write,
      forRun((request, run) => update(state, request, run) ?? show(request, run)),
    ),
    toRoute(
      deps,
      'GET /check-runs/:run',
      read,
      forRun((request, run) => show(request, run)),
    ),
    toRoute(
      deps,
      'GET /check-runs/:run/annotations',
      read,
      forRun((request, { annotations }) => {
        const { items, headers } = pageOf(request, annotations)
        return json(items.map(toAnnotation), 200, headers)
      }),
    ),
    toRoute(deps, 'GET /commits/:sha/check-runs', read, (request) => list(state, request)),
  ]
}

/** Finds the check run that a path names, or answers 404. */
function forRun(
  answer: (request: RepositoryRequest, run: GithubCheckRun) => Answer,
): (request: RepositoryRequest) => Answer {
  return (request) => {
    const run = request.repository.checkRuns.get(Number(request.params['run']))
    return run === undefined ? notFound() : answer(request, run)
  }
}

function list(state: GithubState, request: RepositoryRequest): Answer {
  const { repository, params, query } = request
  const name = query.get('check_name')
  const all = [...repository.checkRuns.values()]
    .filter((run) => run.sha === params['sha'] && (name === null || run.name === name))
    .toReversed()
  const isNewest = (run: GithubCheckRun) =>
    all.find((other) => other.name === run.name && other.appId === run.appId) === run
  const listed = query.get('filter') === 'all' ? all : all.filter(isNewest)
  const { items, headers } = pageOf(request, listed)
  const check_runs = items.map((run) => toCheckRun(state, repository, run))
  return json({ total_count: listed.length, check_runs }, 200, headers)
}

function create(
  state: GithubState,
  request: RepositoryRequest,
): { readonly run: GithubCheckRun } | { readonly refused: Answer } {
  const app = callerOf(state, request)
  if (app === undefined) return { refused: refuse(403, 'You must authenticate via a GitHub App.') }
  const read = readCheckRun(request)
  if ('refused' in read) return read
  const { repository } = request
  const { sha = '', name = '' } = read
  if (name === '') return { refused: refuse(422, `Invalid request.\n\n"name" wasn't supplied.`) }
  if (!repository.commits.has(sha)) {
    return { refused: refuse(422, `No commit found for SHA: ${sha}`) }
  }
  const run: GithubCheckRun = {
    id: state.nextId(),
    appId: app.id,
    sha,
    name,
    externalId: null,
    detailsUrl: null,
    status: 'queued',
    conclusion: null,
    startedAt: state.clock.now(),
    completedAt: undefined,
    title: null,
    summary: null,
    annotations: [],
  }
  repository.checkRuns.set(run.id, run)
  apply(state, run, read)
  return { run }
}

function update(
  state: GithubState,
  request: RepositoryRequest,
  run: GithubCheckRun,
): Answer | undefined {
  const app = callerOf(state, request)
  if (app?.id !== run.appId) {
    const by = 'check run can only be modified by the GitHub App that created it.'
    return refuse(403, `Invalid app_id \`${app?.id ?? ''}\` - ${by}`)
  }
  const read = readCheckRun(request)
  if ('refused' in read) return read.refused
  apply(state, run, read)
  return undefined
}

function apply(state: GithubState, run: GithubCheckRun, read: CheckRunFields): void {
  const { annotations, status, conclusion, sha: _, ...texts } = read
  const changes = { ...texts, ...stageOf(state, { status, conclusion }) }
  for (const [key, value] of Object.entries(changes)) {
    if (value !== undefined) Object.assign(run, { [key]: value })
  }
  run.annotations.push(...annotations)
}

/** A conclusion completes it, and one that goes on has none. */
function stageOf(
  { clock }: GithubState,
  { status, conclusion }: Pick<CheckRunFields, 'status' | 'conclusion'>,
): Partial<Pick<GithubCheckRun, 'status' | 'conclusion' | 'completedAt'>> {
  if (conclusion !== undefined) return { status: 'completed', conclusion, completedAt: clock.now() }
  return status === undefined ? {} : { status, conclusion: null }
}

function callerOf({ apps }: GithubState, { actor }: RepositoryRequest): GithubApp | undefined {
  return [...apps.values()].find((app) => botLoginOf(app) === actor.login)
}
