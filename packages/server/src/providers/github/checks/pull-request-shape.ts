import { z } from 'zod'
import { externalId, pageOrNull, textOrNull } from '../../codehosts/fields.ts'
import type { CodehostPullRequest } from '../../codehosts/pull-request.ts'
import { moment } from '../shapes.ts'

/** The repository of a branch. It is `null` once the fork is gone. */
const ofBranch = z.object({ id: externalId }).nullish().catch(null)
const branch = z.object({ ref: z.string(), sha: z.string(), repo: ofBranch })

/**
 * Parses a pull request as the REST API and webhooks show it.
 *
 * @see https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request
 */
export const githubPullRequest = z
  .object({
    number: z.int().positive(),
    html_url: pageOrNull,
    state: z.string(),
    merged_at: textOrNull,
    head: branch,
    base: branch,
    updated_at: moment,
  })
  .transform((pull): CodehostPullRequest => ({
    number: pull.number,
    url: pull.html_url,
    state: toState(pull.state, pull.merged_at),
    headSha: pull.head.sha,
    headRef: pull.head.ref,
    isFork: isOther(pull.head.repo, pull.base.repo?.id),
    updatedAt: pull.updated_at,
  }))

function toState(state: string, mergedAt: string | null): CodehostPullRequest['state'] {
  if (mergedAt !== null) return 'merged'
  return state === 'open' ? 'open' : 'closed'
}

/** Returns whether a branch is in another repository, or in one that is gone. */
export function isOther(
  repository: { readonly id: string } | null | undefined,
  repositoryId: string | undefined,
): boolean {
  return repository === null || repository === undefined || repository.id !== repositoryId
}

/** Parses a pull request of a run, which may be a short form of one. */
const ofRun = z.object({ base: z.unknown().optional(), head: z.object({ repo: ofBranch }) })

/** Returns whether one of the pull requests of a run proposes a branch of another repository. */
export function proposesFork(pulls: readonly unknown[], repositoryId: string): boolean {
  return pulls.some((pull) => {
    const { data } = ofRun.safeParse(pull)
    return data !== undefined && isOther(data.head.repo, repositoryId)
  })
}
