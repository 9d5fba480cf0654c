import type { CodehostPullRequests } from '../../codehosts/pull-request.ts'
import { readAnswer, type GithubRequests } from '../api-request.ts'
import { githubPullRequest } from './pull-request-shape.ts'

/** Creates the calls of pull requests. `at`: returns the path of a repository. */
export function createPullRequestCalls(
  { get }: Pick<GithubRequests, 'get'>,
  at: (repositoryId: string) => string,
): CodehostPullRequests {
  return {
    async find(repositoryId, number) {
      const answer = await get(`${at(repositoryId)}/pulls/${number}`, { accept: [404] })
      return answer.status === 404 ? undefined : readAnswer(answer, githubPullRequest)
    },
  }
}
