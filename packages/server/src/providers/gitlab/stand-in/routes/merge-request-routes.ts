import { json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Route } from '../../../../../../sandbox/src/http/route.ts'
import type { GitlabApi } from '../access.ts'
import { refuse } from '../errors.ts'
import type { GitlabParts } from '../parts.ts'
import { toMergeRequest } from '../shapes/merge-request.ts'

/**
 * Creates the route of a merge request.
 *
 * @see https://docs.gitlab.com/api/merge_requests/#get-single-mr
 */
export function mergeRequestRoutes({ state }: GitlabParts, api: GitlabApi): Route[] {
  return [
    api.inProject('GET /merge_requests/:iid', ({ project, request }) => {
      const mergeRequest = project.mergeRequests.get(Number(request.params['iid']))
      return mergeRequest === undefined
        ? refuse(404, '404 Not found')
        : json(toMergeRequest(state, project, mergeRequest))
    }),
  ]
}
