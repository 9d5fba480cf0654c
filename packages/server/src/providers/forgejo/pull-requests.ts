import { z } from 'zod'
import { externalId, pageOrNull } from '../codehosts/fields.ts'
import type { CodehostPullRequest, CodehostPullRequests } from '../codehosts/pull-request.ts'
import { readAnswer, type ForgejoRequests } from './api-request.ts'
import type { RepositoryPaths } from './repository-paths.ts'

/** The repository of a branch. It is `null` once the fork is gone. */
const ofBranch = z.object({ id: externalId }).nullish().catch(null)
const branch = z.object({ ref: z.string(), sha: z.string(), repo: ofBranch })

/**
 * Parses a pull request as the API and webhooks of Forgejo and Gitea show it.
 *
 * @see https://codeberg.org/api/swagger#/repository/repoGetPullRequest
 */
export const forgejoPullRequest = z
  .object({
    number: z.int().positive(),
    html_url: pageOrNull,
    state: z.string(),
    merged: z.boolean().catch(false),
    head: branch,
    base: branch,
    updated_at: z.coerce.date(),
  })
  .transform((pull): CodehostPullRequest => ({
    number: pull.number,
    url: pull.html_url,
    state: pull.merged ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    headSha: pull.head.sha,
    headRef: pull.head.ref,
    isFork: !pull.head.repo || pull.head.repo.id !== pull.base.repo?.id,
    updatedAt: pull.updated_at,
  }))

/** Creates what asks for the pull requests of an instance, whatever their repository is named now. */
export function createPullRequestCalls(
  { get }: Pick<ForgejoRequests, 'get'>,
  paths: RepositoryPaths,
): CodehostPullRequests {
  return {
    find: (repositoryId, number) =>
      paths.with(repositoryId, async (repository) => {
        const answer = await get(`${repository}/pulls/${number}`, { accept: [404] })
        return answer.status === 404 ? undefined : readAnswer(answer, forgejoPullRequest)
      }),
  }
}
