import { json } from '../../http/answers.ts'
import type { Answer, Route } from '../../http/route.ts'
import { changesOf, compareCommits } from '../history.ts'
import { findCommit, findRef, listCommits } from '../../models/git.ts'
import { notFound, refuse } from '../errors.ts'
import { toBranch, toGitRef, toShortBranch } from '../shapes/branch.ts'
import { toCommit, toCommitWithFiles } from '../shapes/commit.ts'
import { toComparison } from '../shapes/comparison.ts'
import type { GithubCommit } from '../state.ts'
import { pageOf } from '../page-of.ts'
import { toRoute, type RepositoryRequest, type RepositoryParts } from './repository-route.ts'

const permission = ['contents', 'read'] as const
/** Limits the commits of a comparison without pages. */
const comparedCommitsMax = 250
/** Limits the files of a comparison. */
const comparedFilesMax = 300

/** Creates the routes of branches, commits, comparisons and refs. All of them need `contents: read`. */
export function createCommitRoutes(deps: RepositoryParts): Route[] {
  return [
    toRoute(deps, 'GET /branches', permission, listBranches),
    toRoute(deps, 'GET /branches/*branch', permission, getBranch),
    toRoute(deps, 'GET /commits', permission, listCommitsOfRef),
    toRoute(deps, 'GET /commits/*ref', permission, getCommit),
    toRoute(deps, 'GET /compare/*basehead', permission, compare),
    toRoute(deps, 'GET /git/ref/*ref', permission, getRef),
  ]
}

function listBranches(request: RepositoryRequest): Answer {
  const { repository, addresses } = request
  const branches = [...repository.branches]
    .map(([name, sha]) => ({ name, sha }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const { items, headers } = pageOf(request, branches)
  return json(
    items.map((branch) => toShortBranch(addresses, repository, branch)),
    200,
    headers,
  )
}

function getBranch({ repository, addresses, params }: RepositoryRequest): Answer {
  const { branch: name = '' } = params
  const commit = repository.commits.get(repository.branches.get(name) ?? '')
  if (commit === undefined) return refuse(404, 'Branch not found')
  return json(toBranch(addresses, repository, { name, commit }))
}

function listCommitsOfRef(request: RepositoryRequest): Answer {
  const { repository, addresses, query } = request
  const start = findCommit(repository, query.get('sha') || repository.defaultBranch)
  if (start === undefined) return notFound()
  const isWanted = withinDates(query)
  const commits = listCommits(repository, [start.sha]).filter(isWanted).toReversed()
  const { items, headers } = pageOf(request, commits)
  return json(
    items.map((commit) => toCommit(addresses, repository, commit)),
    200,
    headers,
  )
}

function withinDates(query: URLSearchParams): (commit: GithubCommit) => boolean {
  const since = Date.parse(query.get('since') ?? '')
  const until = Date.parse(query.get('until') ?? '')
  return ({ at }) => !(at.getTime() < since) && !(at.getTime() > until)
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

/** Reads the ref out of the path. Example: `heads/main`. */
function getRef({ repository, addresses, params }: RepositoryRequest): Answer {
  const { ref = '' } = params
  const target = /^(?:heads|tags)\//.test(ref) ? findRef(repository, ref) : undefined
  if (target === undefined) return notFound()
  return json(toGitRef(addresses, repository, { name: `refs/${ref}`, sha: target.sha }))
}
