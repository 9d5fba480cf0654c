import { z } from 'zod'
import { externalId, pageOrNull } from '../codehosts/fields.ts'
import type { CodehostPullRequest, CodehostPullRequests } from '../codehosts/pull-request.ts'
import { readAnswer, type GitlabRequests } from './api-request.ts'
import { moment } from './shapes.ts'

/** `locked`: it is being merged. */
const states = new Map<string, CodehostPullRequest['state']>([
  ['opened', 'open'],
  ['locked', 'open'],
  ['merged', 'merged'],
  ['closed', 'closed'],
])

const common = z.object({
  iid: z.int().positive(),
  state: z.string(),
  source_branch: z.string(),
  /** It is `null` once the fork is gone. */
  source_project_id: externalId.nullish().catch(null),
  target_project_id: externalId,
  updated_at: moment,
})

function toPullRequest(
  of: z.output<typeof common>,
  { url, headSha }: Pick<CodehostPullRequest, 'url' | 'headSha'>,
): CodehostPullRequest {
  return {
    number: of.iid,
    url,
    state: states.get(of.state) ?? 'closed',
    headSha,
    headRef: of.source_branch,
    isFork: of.source_project_id !== of.target_project_id,
    updatedAt: of.updated_at,
  }
}

/** Parses a merge request as the API shows it. @see https://docs.gitlab.com/api/merge_requests/#get-single-mr */
const gitlabMergeRequest = common
  .extend({ sha: z.string(), web_url: pageOrNull })
  .transform((of) => toPullRequest(of, { url: of.web_url, headSha: of.sha }))

/** Parses a merge request as a Merge Request Hook shows it. */
export const hookMergeRequest = common
  .extend({ last_commit: z.object({ id: z.string() }), url: pageOrNull })
  .transform((of) => toPullRequest(of, { url: of.url, headSha: of.last_commit.id }))

/** Creates the calls of merge requests. `at`: returns the path of a project. */
export function createMergeRequestCalls(
  { get }: Pick<GitlabRequests, 'get'>,
  at: (repositoryId: string) => string,
): CodehostPullRequests {
  return {
    async find(repositoryId, number) {
      const answer = await get(`${at(repositoryId)}/merge_requests/${number}`, { accept: [404] })
      return answer.status === 404 ? undefined : readAnswer(answer, gitlabMergeRequest)
    },
  }
}
