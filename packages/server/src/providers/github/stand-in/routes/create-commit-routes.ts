import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import { changesOf, compareCommits } from '../history.ts'
import { findCommit } from '../../../../../../sandbox/src/models/git.ts'
import { notFound, refuse } from '../errors.ts'
import { toCommitWithFiles } from '../shapes/commit.ts'
import { toComparison } from '../shapes/comparison.ts'
import { pageOf } from '../page-of.ts'
import { toRoute, type RepositoryRequest, type RepositoryParts } from './repository-route.ts'

const permission = ['contents', 'read'] as const
/** Limits the commits of a comparison without pages. */
const comparedCommitsMax = 250
/** Limits the files of a comparison. */
const comparedFilesMax = 300

/** Creates the routes of single commits and comparisons. Both need `contents: read`. */
export function createCommitRoutes(deps: RepositoryParts): Route[] {
  return [
    toRoute(deps, 'GET /commits/*ref', permission, getCommit),
    toRoute(deps, 'GET /compare/*basehead', permission, compare),
  ]
}

function getCommit({ repository, addresses, params }: RepositoryRequest): Answer {
  const { ref = '' } = params
  const commit = findCommit(repository, ref)
  if (commit === undefined) return refuse(422, `No commit found for SHA: ${ref}`)
  return json(toCommitWithFiles(addresses, repository, { commit, changes: changesOf([commit]) }))
}

/** Compares two commits. `page` and `per_page` select commits; the files are on the first page. */
function compare(request: RepositoryRequest): Answer {
  const { repository, addresses, params, query } = request
  const { basehead = '' } = params
  const [base, head] = basehead.split('...').map((ref) => findCommit(repository, ref))
  if (base === undefined || head === undefined) return notFound()
  const comparison = compareCommits(repository, base, head)
  if (comparison === undefined) {
    return refuse(404, `No common ancestor between ${basehead.replace('...', ' and ')}.`)
  }
  const { commits } = comparison
  const page = query.has('page') || query.has('per_page') ? pageOf(request, commits) : undefined
  const isFirst = (query.get('page') ?? '1') === '1'
  const compared = {
    comparison,
    basehead,
    commits: page?.items ?? commits.slice(-comparedCommitsMax),
    files: isFirst ? changesOf(commits).slice(0, comparedFilesMax) : undefined,
  }
  return json(toComparison(addresses, repository, compared), 200, page?.headers)
}
