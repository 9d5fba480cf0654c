import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import { notFound, refuse } from '../errors.ts'
import { addressesOf } from '../shapes/addresses.ts'
import { toIssue, toPullRequestAsIssue } from '../shapes/issue.ts'
import { toRoute, type RepositoryRequest, type RepositoryParts } from './repository-route.ts'

/**
 * Creates the route of an issue. A transferred one is sent on to, a deleted one is gone, and a pull request is an issue here.
 *
 * @see https://docs.github.com/en/rest/issues/issues#get-an-issue
 */
export function createIssueRoutes(deps: RepositoryParts): Route[] {
  return [
    toRoute(deps, 'GET /issues/:number', ['issues', 'read'], (request) => showIssue(deps, request)),
  ]
}

function showIssue({ state }: RepositoryParts, request: RepositoryRequest): Answer {
  const { repository, addresses } = request
  const number = Number(request.params['number'])
  const issue = repository.issues.get(number)
  if (issue !== undefined) return json(toIssue(addresses, repository, issue))
  if (repository.pullRequests.has(number)) {
    return json(toPullRequestAsIssue(addresses, repository, number))
  }
  const former = repository.formerIssues.get(number)
  if (former === 'deleted') return refuse(410, 'This issue was deleted')
  if (former === undefined) return notFound()
  const { repositoryId, number: next } = former.transferredTo
  const url = `${addressesOf(state).api}/repositories/${repositoryId}/issues/${next}`
  const body = { message: 'Moved Permanently', url, documentation_url: 'https://docs.github.com' }
  return json(body, 301, { location: url })
}
