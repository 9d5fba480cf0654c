import { z } from 'zod'
import { commitSha, textOrNull } from '../codehosts/fields.ts'
import type { PipelineIdentity, PipelineTokenIssuer } from '../pipeline-tokens.ts'

/** Lists what names a run in a token of GitHub Actions. All of it is text. */
const claims = z.object({
  repository_id: z.string().regex(/^\d{1,20}$/),
  run_id: z.string().regex(/^\d{1,20}$/),
  run_attempt: z.string().regex(/^[1-9]\d{0,5}$/),
  event_name: textOrNull,
  sha: commitSha,
  ref: textOrNull,
})

/**
 * Lists the events whose runs are of the newest commit of a branch, and usually check out another one: the proposal, or the commit of
 * the run before. Their tokens say nothing of what the run tests.
 */
const ofOtherCommits: ReadonlySet<string> = new Set(['pull_request_target', 'workflow_run'])

const proposal = /^refs\/pull\/(\d{1,9})\/merge$/

/** Returns the commit that a run is of, as far as its token says so. */
function readCommit({
  event_name: event,
  sha,
  ref,
}: z.output<typeof claims>): Pick<PipelineIdentity, 'sha' | 'ref' | 'pullRequest'> {
  if (event === null || ofOtherCommits.has(event) || sha === undefined || ref === null) return {}
  const number = proposal.exec(ref)?.[1]
  return { sha, ref, ...(number !== undefined && { pullRequest: Number(number) }) }
}

/**
 * Returns the issuer of GitHub Actions' tokens. That of github.com has an address of its own; a GitHub Enterprise Server
 * issues them itself.
 *
 * @param webUrl Example: `https://github.com`.
 * @see https://docs.github.com/actions/reference/security/oidc
 */
export function githubPipelineTokens(webUrl: string): PipelineTokenIssuer {
  const issuer =
    webUrl === 'https://github.com'
      ? 'https://token.actions.githubusercontent.com'
      : `${webUrl}/_services/token`
  return {
    provider: 'github',
    issuer,
    jwksUrl: `${issuer}/.well-known/jwks`,
    readIdentity(payload) {
      const { data } = claims.safeParse(payload)
      return (
        data && {
          repositoryExternalId: data.repository_id,
          runId: data.run_id,
          attempt: Number(data.run_attempt),
          ...readCommit(data),
        }
      )
    },
  }
}
