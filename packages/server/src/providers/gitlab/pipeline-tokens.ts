import { z } from 'zod'
import type { PipelineTokenIssuer } from '../pipeline-tokens.ts'
import { instanceOf, toRepositoryId } from './instance.ts'
import { externalId } from './shapes.ts'

const claims = z.object({ project_id: externalId, pipeline_id: externalId })

/**
 * Describes the ID tokens of GitLab's jobs. In merge request pipelines of forks, `project_id` is the fork’s although the pipeline is of
 * the target, so that such a token names a run that its project does not have, and is refused.
 *
 * @see https://docs.gitlab.com/ci/secrets/id_token_authentication/
 */
export function gitlabPipelineTokens(provider: string, webUrl: string): PipelineTokenIssuer {
  const instance = instanceOf(webUrl)
  return {
    provider,
    issuer: webUrl,
    // As `/.well-known/openid-configuration` of every GitLab names it.
    jwksUrl: `${webUrl}/oauth/discovery/keys`,
    readIdentity(verified) {
      const { data } = claims.safeParse(verified)
      if (data === undefined) return undefined
      return {
        repositoryExternalId: toRepositoryId(instance, data.project_id),
        runId: data.pipeline_id,
        // GitLab counts no attempts.
        attempt: 1,
      }
    },
  }
}
