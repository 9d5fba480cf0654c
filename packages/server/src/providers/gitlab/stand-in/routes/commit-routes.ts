import { createHash } from 'node:crypto'
import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import type { GitlabApi, ProjectCall } from '../access.ts'
import { badParameter, notFound, refuse } from '../errors.ts'
import { findCommit, mergeBase } from '../../../../../../sandbox/src/models/git.ts'
import { listRange } from '../history.ts'
import { answerPage } from '../paging.ts'
import type { GitlabParts } from '../parts.ts'
import { toCommit } from '../shapes/commit.ts'
import type { GitlabState } from '../state.ts'

/**
 * Creates the routes of commits and files.
 *
 * @see https://docs.gitlab.com/api/commits/
 */
export function commitRoutes({ state }: GitlabParts, api: GitlabApi): Route[] {
  const read = (at: string, handle: (call: ProjectCall) => Answer) =>
    api.inProject(at, handle, 'reporter')
  return [
    read('GET /repository/commits', (call) => list(state, call)),
    read('GET /repository/commits/:sha', ({ request, project }) => {
      const commit = findCommit(project, request.params['sha'] ?? '')
      return commit === undefined ? notFound('Commit') : json(toCommit(state, project, commit))
    }),
    read('GET /repository/merge_base', (call) => findMergeBase(state, call)),
    read('GET /repository/files/:file_path', (call) => readFile(call)),
  ]
}

/** Lists the commits of a branch, a tag or a range of revisions, newest first, in pages without totals. */
function list(state: GitlabState, { request, project }: ProjectCall): Answer {
  const { query } = request
  const range = query.get('ref_name') ?? project.defaultBranch
  const commits =
    query.get('all') === 'true' ? [...project.commits.values()] : listRange(project, range)
  if (commits === undefined) return notFound('Commit')
  const since = Date.parse(query.get('since') ?? '')
  const until = Date.parse(query.get('until') ?? '')
  const inTime = commits.filter(
    ({ at }) =>
      (Number.isNaN(since) || at.getTime() >= since) &&
      (Number.isNaN(until) || at.getTime() <= until),
  )
  const answer = answerPage(state, request, inTime, (commit) => toCommit(state, project, commit))
  const { 'x-total': _total, 'x-total-pages': _pages, ...headers } = answer.headers ?? {}
  return { ...answer, headers }
}

function findMergeBase(state: GitlabState, { request, project }: ProjectCall): Answer {
  const refs = request.query.getAll('refs[]')
  if (refs.length < 2) return badParameter('refs should be at least 2')
  const commits = refs.map((ref) => findCommit(project, ref))
  const unknown = refs.filter((_, index) => commits[index] === undefined)
  if (unknown.length > 0)
    return refuse(400, `400 Bad request - Could not find ref: ${unknown.join(', ')}`)
  const [first, ...rest] = commits.flatMap((commit) => commit ?? [])
  const base = rest.reduce((one, other) => one && mergeBase(project, one, other), first)
  return base === undefined ? notFound('Merge Base') : json(toCommit(state, project, base))
}

function readFile({ request, project }: ProjectCall): Answer {
  const ref = request.query.get('ref')
  if (ref === null) return badParameter('ref is missing')
  const path = request.params['file_path'] ?? ''
  const content = project.files.get(path)
  const commit = findCommit(project, ref)
  if (commit === undefined) return notFound('Commit')
  if (content === undefined) return notFound('File')
  return json({
    file_name: path.split('/').at(-1) ?? path,
    file_path: path,
    size: Buffer.byteLength(content),
    encoding: 'base64',
    content: Buffer.from(content).toString('base64'),
    content_sha256: createHash('sha256').update(content).digest('hex'),
    ref,
    blob_id: createHash('sha1').update(content).digest('hex'),
    commit_id: commit.sha,
    last_commit_id: commit.sha,
    execute_filemode: false,
  })
}
