import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import { reachableFrom } from '../../../../../../sandbox/src/models/git.ts'
import type { GitlabApi, ProjectCall } from '../access.ts'
import { bodyOf, textOf } from '../body.ts'
import { badParameter, notFound, refuse } from '../errors.ts'
import { answerPage } from '../paging.ts'
import type { GitlabParts } from '../parts.ts'
import { toUser } from '../shapes/people.ts'
import type { GitlabCommitStatus, GitlabProject, GitlabState, GitlabUser } from '../state.ts'

const states = ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'] as const
type StatusState = (typeof states)[number]
const open: ReadonlySet<StatusState> = new Set(['pending', 'running'])

/**
 * Creates the routes of the statuses of commits.
 *
 * @see https://docs.gitlab.com/api/commits/#set-commit-pipeline-status
 */
export function statusRoutes({ state }: GitlabParts, api: GitlabApi): Route[] {
  return [
    api.inProject('POST /statuses/:sha', (call) => setStatus(state, call), 'developer'),
    api.inProject(
      'GET /repository/commits/:sha/statuses',
      ({ request, project }) => {
        const { sha } = request.params
        const own = project.commitStatuses.filter((one) => one.sha === sha)
        const isNewest = (of: GitlabCommitStatus) =>
          own.findLast(({ name }) => name === of.name) === of
        const listed = request.query.get('all') === 'true' ? own : own.filter(isNewest)
        return answerPage(state, request, listed, (one) => toStatus(state, one))
      },
      'reporter',
    ),
  ]
}

function setStatus(state: GitlabState, { request, project, user }: ProjectCall): Answer {
  const sha = request.params['sha'] ?? ''
  const body = readBody(request)
  if (body.next === undefined) return badParameter('state does not have a valid value')
  if (!project.commits.has(sha)) return notFound('Commit')
  const { next, name, ref = refOf(project, sha), ...texts } = body
  if (ref === undefined) return notFound('References for commit')
  const known = findOpen(project, { sha, name, user })
  if (known?.status === next) return refuseTransition(next)
  const status = known ?? newStatus(state, { sha, ref, name, author: user })
  const finishedAt = open.has(next) ? undefined : state.clock.now()
  Object.assign(status, { ...texts, status: next, finishedAt })
  if (known === undefined) project.commitStatuses.push(status)
  return json(toStatus(state, status), 201)
}

function readBody(request: ProjectCall['request']) {
  const body = bodyOf(request)
  const [description, targetUrl] = [textOf(body['description']), textOf(body['target_url'])]
  return {
    next: states.find((one) => one === body['state']),
    name: textOf(body['name']) ?? textOf(body['context']) ?? 'default',
    ref: textOf(body['ref']),
    ...(description !== undefined && { description }),
    ...(targetUrl !== undefined && { targetUrl }),
  }
}

/** Refuses to bring a status where it is already. */
function refuseTransition(next: StatusState): Answer {
  const event = next === 'pending' ? 'enqueue' : 'run'
  const reason = `Reason(s): Status cannot transition via "${event}"`
  return refuse(400, `Cannot transition status via :${event} from :${next} (${reason})`)
}

/** Returns a branch or pipeline that has the commit; `undefined` for one that only a fork has on a branch. */
function refOf(project: GitlabProject, sha: string): string | undefined {
  const pipeline = [...project.pipelines.values()].findLast((one) => one.sha === sha)
  const branch = [...project.branches].find(([, tip]) => reachableFrom(project, tip).has(sha))
  return pipeline?.ref ?? branch?.[0]
}

/** Returns the status of this person that has not ended. Beside one that has, another one is made. */
function findOpen(
  { commitStatuses }: GitlabProject,
  of: { readonly sha: string; readonly name: string; readonly user: GitlabUser },
): GitlabCommitStatus | undefined {
  return commitStatuses.find(
    (one) =>
      one.sha === of.sha && one.name === of.name && one.author === of.user && open.has(one.status),
  )
}

function newStatus(
  state: GitlabState,
  of: Pick<GitlabCommitStatus, 'sha' | 'ref' | 'name' | 'author'>,
): GitlabCommitStatus {
  return {
    ...of,
    id: state.nextId(),
    status: 'pending',
    description: null,
    targetUrl: null,
    createdAt: state.clock.now(),
    finishedAt: undefined,
  }
}

function toStatus(state: GitlabState, of: GitlabCommitStatus) {
  return {
    id: of.id,
    sha: of.sha,
    ref: of.ref,
    status: of.status,
    name: of.name,
    target_url: of.targetUrl,
    description: of.description,
    created_at: of.createdAt.toISOString(),
    started_at: null,
    finished_at: of.finishedAt?.toISOString() ?? null,
    allow_failure: false,
    coverage: null,
    author: toUser(state, of.author),
  }
}
