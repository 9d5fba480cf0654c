import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Route } from '../../../../../../sandbox/src/http/route.ts'
import type { ForgejoApi } from '../access.ts'
import { notFound } from '../errors.ts'
import { presentIssue } from '../issue-shapes.ts'
import type { ForgejoParts } from '../parts.ts'

/**
 * Creates the routes of issues, which have a scope of their own.
 *
 * @see https://codeberg.org/api/swagger#/issue/issueGetIssue
 */
export function issueRoutes({ state }: ForgejoParts, api: ForgejoApi): Route[] {
  return [
    api.inRepository(
      'GET /issues/:number',
      ({ request, repository }) => {
        const issue = repository.issues.get(Number(request.params['number']))
        return issue === undefined ? notFound(state) : json(presentIssue(state, repository, issue))
      },
      'read',
      'issue',
    ),
  ]
}
