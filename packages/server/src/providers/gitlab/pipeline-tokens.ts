import { z } from 'zod'
import type { PipelineTokenIssuer } from '../pipeline-tokens.ts'
import { instanceOf, toRepositoryId } from './instance.ts'
import { commitSha, externalId, textOrNull } from '../codehosts/fields.ts'

const claims = z.object({
  project_id: externalId,
  /** The project that the job runs in, from GitLab 18.4 on. */
  job_project_id: externalId.optional(),
  pipeline_id: externalId,
  pipeline_source: textOrNull,
  ref_path: textOrNull,
  sha: commitSha,
  ref_protected: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
})

/** Lists the sources of a pipeline whose code is a proposal, also somebody's who may not push to the project. */
const proposals: ReadonlySet<string> = new Set([
  'merge_request_event',
  'external_pull_request_event',
])

/**
 * Describes the ID tokens of GitLab's jobs. A pipeline of a merge request passes for nobody: its code may come from a fork, and then
 * `project_id` is the fork's from GitLab 18.2.2 on, and the target's before, although the job runs in the target.
 *
 * @see https://docs.gitlab.com/ci/secrets/id_token_authentication/
 * @see https://gitlab.com/gitlab-org/gitlab/-/issues/563038
 */
export function gitlabPipelineTokens(provider: string, webUrl: string): PipelineTokenIssuer {
  const instance = instanceOf(webUrl)
  return {
    provider,
    issuer: webUrl,
    readIdentity(verified) {
      const { data } = claims.safeParse(verified)
      if (data === undefined || isProposal(data)) return undefined
      return {
        repositoryExternalId: toRepositoryId(instance, data.project_id),
        runId: data.pipeline_id,
        // GitLab counts no attempts.
        attempt: 1,
        ...(data.sha !== undefined && { sha: data.sha }),
        ...(data.ref_path !== null && { ref: data.ref_path }),
        ...(data.ref_protected !== undefined && {
          isRefProtected: String(data.ref_protected) === 'true',
        }),
      }
    },
  }
}

function isProposal(of: z.output<typeof claims>): boolean {
  const { project_id: projectId, job_project_id: jobProjectId = projectId } = of
  return (
    jobProjectId !== projectId ||
    proposals.has(of.pipeline_source ?? '') ||
    (of.ref_path ?? '').startsWith('refs/merge-requests/')
  )
}
