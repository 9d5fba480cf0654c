import { z } from 'zod'
import type { PipelineTokenIssuer } from '../pipeline-tokens.ts'

/** Lists what names a run in a token of GitHub Actions. All of it is text. */
const claims = z.object({
  repository_id: z.string().regex(/^\d{1,20}$/),
  run_id: z.string().regex(/^\d{1,20}$/),
  run_attempt: z.string().regex(/^[1-9]\d{0,5}$/),
})

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
        }
      )
    },
  }
}
