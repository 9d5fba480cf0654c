import { z } from 'zod'
import { instanceOf, toInstanceId } from '../instance-ids.ts'
import type { PipelineTokenIssuer } from '../pipeline-tokens.ts'

/** Lists what names a run in a token of Forgejo Actions. All of it is text. */
const claims = z.object({
  repository_id: z.string().regex(/^\d{1,20}$/),
  run_id: z.string().regex(/^\d{1,20}$/),
  run_attempt: z.string().regex(/^[1-9]\d{0,5}$/),
})

/**
 * Describes the ID tokens of Forgejo's jobs, which a workflow switches on by `enable-openid-connect: true`. Gitea has none.
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
      return (
        data && {
          repositoryExternalId: toInstanceId(instance, data.repository_id),
          runId: data.run_id,
          attempt: Number(data.run_attempt),
        }
      )
    },
  }
}
