import { Problem } from '@signalbox/contract'
import { createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Egress } from '../egress/create-egress.ts'

/** Which run of which repository a pipeline's token was made for. Numbers of the code host. */
export interface PipelineIdentity {
  readonly repositoryExternalId: string
  readonly runId: string
  readonly attempt: number
}

/** Reads the tokens that the code host gives to its pipelines. */
export interface PipelineTokens {
  /** Whether a bearer token says that it is of this issuer. It is not believed for that. */
  isOurs(token: string): boolean
  /** @throws {Problem} `invalid_credentials`, `expired_credentials`, `provider_error` */
  verify(token: string): Promise<PipelineIdentity>
}

export interface PipelineTokenOptions {
  /** Example: `https://token.actions.githubusercontent.com`. */
  readonly issuer: string
  /** Where its keys are. Left out: `<issuer>/.well-known/jwks`. */
  readonly jwksUrl?: string
  /** Whom a token must be made for: our own public address. Asked each time, because a port may be chosen at the start. */
  readonly audience: () => string
  readonly egress: Pick<Egress, 'fetch'>
  readonly now: () => Date
}

/** What names a run in a token of GitHub Actions. All of it is text. */
const claims = z.object({
  repository_id: z.string().regex(/^\d{1,20}$/),
  run_id: z.string().regex(/^\d{1,20}$/),
  run_attempt: z.string().regex(/^[1-9]\d{0,5}$/),
  exp: z.number(),
})

/**
 * Opens the reader of pipelines' tokens. Only signatures with the issuer's published RSA keys count: a token cannot choose
 * a weaker algorithm, nor use the public key as a shared secret.
 *
 * @see RFC 8725 §3.1
 * @see https://docs.github.com/actions/reference/security/oidc
 */
export function createPipelineTokens(options: PipelineTokenOptions): PipelineTokens {
  const { issuer, audience, egress, now } = options
  const url = options.jwksUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/jwks`
  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: 5_000,
    [customFetch]: egress.fetch,
  })
  return {
    isOurs(token) {
      try {
        return decodeJwt(token).iss === issuer
      } catch {
        return false
      }
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, keys, {
          algorithms: ['RS256'],
          issuer,
          audience: audience(),
          currentDate: now(),
          requiredClaims: ['exp', 'iat'],
          clockTolerance: 30,
        })
        const { repository_id, run_id, run_attempt } = claims.parse(payload)
        const attempt = Number(run_attempt)
        return { repositoryExternalId: repository_id, runId: run_id, attempt }
      } catch (error) {
        throw toProblem(error)
      }
    },
  }
}

/** What is wrong with a token is not told more closely than its bearer needs. */
function toProblem(error: unknown): Problem {
  if (error instanceof errors.JWTExpired) {
    const detail = "The pipeline's token has expired. Ask for one right before the upload."
    return new Problem('expired_credentials', detail)
  }
  if (isRefusal(error)) {
    const detail =
      "The pipeline's token is not good for this. Ask for one whose audience is the address of this server."
    return new Problem('invalid_credentials', detail, { cause: error })
  }
  const detail = 'The keys of the code host cannot be fetched. Repeat the upload.'
  return new Problem('provider_error', detail, { cause: error })
}

function isRefusal(error: unknown): boolean {
  if (error instanceof z.ZodError) return true
  const isUnreachable =
    error instanceof errors.JWKSTimeout ||
    (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')
  return error instanceof errors.JOSEError && !isUnreachable
}
