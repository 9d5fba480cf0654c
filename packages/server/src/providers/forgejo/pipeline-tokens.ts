import { z } from 'zod'
import { instanceOf, toInstanceId } from '../codehosts/instance-ids.ts'
import type { PipelineTokenIssuer } from '../pipeline-tokens.ts'
import { commitSha, textOrNull } from '../codehosts/fields.ts'

/** Lists what names a run in a token of Forgejo Actions. All of it is text. */
const claims = z.object({
  repository_id: z.string().regex(/^\d{1,20}$/),
  run_id: z.string().regex(/^\d{1,20}$/),
  run_attempt: z.string().regex(/^[1-9]\d{0,5}$/),
  event_name: textOrNull,
  ref: textOrNull,
  sha: commitSha,
  ref_protected: z.enum(['true', 'false']).optional().catch(undefined),
})

/**
 * Describes the ID tokens of Forgejo's jobs, which a workflow switches on by `enable-openid-connect: true`. Gitea has none. A run of a
 * pull request passes for nobody: its code may come from a fork.
 *
 * @see https://forgejo.org/docs/latest/user/actions/security-openid-connect/
 */
export function forgejoPipelineTokens(webUrl: string): PipelineTokenIssuer {
  const instance = instanceOf(webUrl)
  const issuer = `${webUrl}/api/actions`
  return {
    provider: 'forgejo',
    issuer,
    jwksUrl: `${issuer}/.well-known/keys`,
    readIdentity(verified) {
      const { data } = claims.safeParse(verified)
      if (data === undefined || isProposal(data)) return undefined
      return {
        repositoryExternalId: toInstanceId(instance, data.repository_id),
        runId: data.run_id,
        attempt: Number(data.run_attempt),
        ...(data.sha !== undefined && { sha: data.sha }),
        ...(data.ref !== null && { ref: data.ref }),
        ...(data.ref_protected !== undefined && { isRefProtected: data.ref_protected === 'true' }),
      }
    },
  }
}

function isProposal({ event_name: event, ref }: z.output<typeof claims>): boolean {
  return (event ?? '').startsWith('pull_request') || (ref ?? '').startsWith('refs/pull/')
}
