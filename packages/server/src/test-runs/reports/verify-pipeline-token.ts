import { Problem } from '@signalbox/contract'
import { decodeJwt, errors, jwtVerify } from 'jose'
import { displayNameOf } from '../../providers/find-provider.ts'
import type { PipelineIdentity, PipelineTokenIssuer } from '../../providers/pipeline-tokens.ts'
import { isUnreachable, openIssuerKeys, type IssuerKeyOptions } from './issuer-keys.ts'

/** Names the run that a token was made for, and the provider that vouches for it. */
export interface VerifiedPipeline extends PipelineIdentity {
  readonly provider: string
}

/** Reads the tokens that code hosts give to their pipelines. */
export interface PipelineTokens {
  /** Returns whether a bearer token claims to come from a known issuer. Nothing is verified yet. */
  isOurs(token: string): boolean
  /** @throws {Problem} `invalid_credentials`, `expired_credentials`, `provider_error` */
  verify(token: string): Promise<VerifiedPipeline>
}

/** Describes what the reader of pipelines' tokens works with. */
export interface PipelineTokenOptions extends IssuerKeyOptions {
  readonly issuers: readonly PipelineTokenIssuer[]
  /** Returns our own public address, which a token must be made for. A port may be chosen at the start. */
  readonly audience: () => string
}

/**
 * Opens the reader of pipelines' tokens. Only signatures with the issuer's published RSA keys count: a token cannot choose
 * a weaker algorithm, nor use the public key as a shared secret.
 *
 * @see RFC 8725 §3.1
 */
export function createPipelineTokens(options: PipelineTokenOptions): PipelineTokens {
  const { audience, now } = options
  const issuers = new Map(
    options.issuers.map((of) => [of.issuer, { ...of, keys: openIssuerKeys(of, options) }]),
  )
  return {
    isOurs: (token) => issuers.has(readIssuer(token)),
    async verify(token) {
      const known = issuers.get(readIssuer(token))
      if (known === undefined) throw notAccepted(undefined)
      const { issuer, keys, provider, readIdentity } = known
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['RS256'],
        issuer,
        audience: audience(),
        currentDate: now(),
        requiredClaims: ['exp', 'iat'],
        clockTolerance: 30,
      }).catch((error: unknown) => Promise.reject(toProblem(error, provider)))
      // A token that is good elsewhere too may have come from there.
      if (Array.isArray(payload.aud) && payload.aud.length > 1) throw notAccepted(undefined)
      const identity = readIdentity(payload)
      if (identity === undefined) throw notARun()
      return { ...identity, provider }
    },
  }
}

function readIssuer(token: string): string {
  try {
    return decodeJwt(token).iss ?? ''
  } catch {
    return ''
  }
}

/** Says no more of what is wrong with a token than its bearer needs. */
function toProblem(error: unknown, provider: string): Problem {
  if (error instanceof errors.JWTExpired) {
    const detail = 'The token of the pipeline has expired. Request one right before the upload.'
    return new Problem('expired_credentials', detail)
  }
  if (!isUnreachable(error)) return notAccepted(error)
  const detail = `Cannot fetch the signing keys of ${displayNameOf(provider)}. Repeat the upload.`
  return new Problem('provider_error', detail, { cause: error })
}

function notAccepted(cause: unknown): Problem {
  const detail =
    'The token of the pipeline is not valid here. Request one with the address of this server as its audience.'
  return new Problem('invalid_credentials', detail, { cause })
}

/** Says of a token that is genuine that its run is none that could be ours. */
function notARun(): Problem {
  const detail =
    'The token of the pipeline is genuine, but names no run of a repository’s own code. A pipeline of a fork or of a merge request can’t upload: upload from the run that Signalbox started.'
  return new Problem('invalid_credentials', detail)
}
