import { z } from 'zod'
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

const annotationsMax = 50
const textMax = 65_535

const conclusions = [
  'action_required',
  'cancelled',
  'failure',
  'neutral',
  'skipped',
  'success',
  'timed_out',
] as const
const annotation = z.object({
  path: z.string(),
  start_line: z.int().positive(),
  end_line: z.int().positive(),
  annotation_level: z.enum(['notice', 'warning', 'failure']),
  message: z.string().min(1),
})
const fields = z.object({
  name: z.string().min(1).optional(),
  details_url: z.url().optional(),
  external_id: z.string().optional(),
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  conclusion: z.enum(conclusions).optional(),
  output: z
    .object({
      title: z.string().optional(),
      summary: z.string().max(textMax),
      annotations: z.array(annotation).max(annotationsMax).default([]),
    })
    .optional(),
})
const newRun = fields.extend({ name: z.string().min(1), head_sha: z.string() })

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
  const shown = query.get('filter') === 'all' ? all : all.filter(isNewest)
  const { items, headers } = pageOf(request, shown)
  const check_runs = items.map((run) => toCheckRun(state, repository, run))
  return json({ total_count: shown.length, check_runs }, 200, headers)
}

function create(
  state: GithubState,
  request: RepositoryRequest,
): { readonly run: GithubCheckRun } | { readonly refused: Answer } {
  const app = callerOf(state, request)
  if (app === undefined) return { refused: refuse(403, 'You must authenticate via a GitHub App.') }
  const read = readFields(newRun, request)
  if ('refused' in read) return read
  const { repository } = request
  const { head_sha: sha, name } = read.fields
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
  apply(state, run, read.fields)
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
  const read = readFields(fields, request)
  if ('refused' in read) return read.refused
  apply(state, run, read.fields)
  return undefined
}

function apply(state: GithubState, run: GithubCheckRun, of: z.output<typeof fields>): void {
  const { name, details_url: detailsUrl, external_id: externalId, output } = of
  const { title, summary, annotations = [] } = output ?? {}
  const changes = { name, detailsUrl, externalId, title, summary, ...stageOf(state, of) }
  for (const [key, value] of Object.entries(changes)) {
    if (value !== undefined) Object.assign(run, { [key]: value })
  }
  run.annotations.push(
    ...annotations.map(({ start_line, end_line, annotation_level, ...rest }) => ({
      ...rest,
      startLine: start_line,
      endLine: end_line,
      level: annotation_level,
    })),
  )
}

/** A conclusion completes it, and one that goes on has none. */
function stageOf(
  { clock }: GithubState,
  { status, conclusion }: z.output<typeof fields>,
): Partial<Pick<GithubCheckRun, 'status' | 'conclusion' | 'completedAt'>> {
  if (conclusion !== undefined) return { status: 'completed', conclusion, completedAt: clock.now() }
  return status === undefined ? {} : { status, conclusion: null }
}

/** Reads the body, or answers 422: what is completed has a conclusion, and annotations have a limit. */
function readFields<Shape extends z.ZodType<z.output<typeof fields>>>(
  shape: Shape,
  { body }: RepositoryRequest,
): { readonly fields: z.output<Shape> } | { readonly refused: Answer } {
  const { data, error } = shape.safeParse(parseJson(body.toString('utf8')))
  if (error !== undefined) {
    const where = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    return { refused: refuse(422, `Invalid request.\n\n${where.join('\n')}`) }
  }
  return data.status === 'completed' && data.conclusion === undefined
    ? { refused: refuse(422, 'Invalid request.\n\n"conclusion" wasn\'t supplied.') }
    : { fields: data }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function callerOf({ apps }: GithubState, { actor }: RepositoryRequest): GithubApp | undefined {
  return [...apps.values()].find((app) => botLoginOf(app) === actor.login)
}
