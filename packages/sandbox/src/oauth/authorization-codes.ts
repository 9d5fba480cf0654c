import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'

/** Describes the grant of a code. */
export interface Grant<Subject> {
  readonly clientId: string
  readonly redirectUri: string
  /** Holds the PKCE challenge with S256 (RFC 7636). `undefined`: the client sent none. */
  readonly codeChallenge: string | undefined
  readonly subject: Subject
}

/** Describes a request of the token endpoint (RFC 6749 §4.1.3). */
export interface Exchange {
  readonly code: string
  readonly clientId: string
  /** Holds the redirect address. `undefined`: the client sent none. */
  readonly redirectUri: string | undefined
  readonly codeVerifier: string | undefined
}

/** Holds the subject of a code, or why the code is refused. */
export type Redeemed<Subject> =
  | {
      readonly outcome: 'redeemed'
      readonly subject: Subject
      /** Says that the client has proven a challenge. */
      readonly hadChallenge: boolean
    }
  | { readonly outcome: 'unknown' | 'other_client' | 'other_redirect_uri' | 'wrong_verifier' }

/**
 * Describes authorization codes (RFC 6749 §4.1.2). Each is valid once, for ten minutes, and for the client that it
 * was issued to.
 */
export interface AuthorizationCodes<Subject> {
  issue(grant: Grant<Subject>): string
  /** Uses up the code at the first attempt, whatever the result. */
  redeem(exchange: Exchange): Redeemed<Subject>
  reset(): void
}

const lifetimeMs = 10 * 60 * 1000

/** Creates codes that are valid once and for ten minutes. */
export function createAuthorizationCodes<Subject>(clock: Clock): AuthorizationCodes<Subject> {
  const issued = new Map<string, { readonly grant: Grant<Subject>; readonly untilMs: number }>()
  return {
    issue(grant) {
      const code = randomBytes(20).toString('hex')
      issued.set(code, { grant, untilMs: clock.now().getTime() + lifetimeMs })
      return code
    },
    redeem({ code, clientId, redirectUri, codeVerifier }) {
      const issuedCode = issued.get(code)
      issued.delete(code)
      if (issuedCode === undefined || clock.now().getTime() >= issuedCode.untilMs)
        return { outcome: 'unknown' }
      const { grant } = issuedCode
      if (grant.clientId !== clientId) return { outcome: 'other_client' }
      if (redirectUri !== undefined && redirectUri !== grant.redirectUri) {
        return { outcome: 'other_redirect_uri' }
      }
      if (!matchesChallenge(grant.codeChallenge, codeVerifier)) return { outcome: 'wrong_verifier' }
      const hadChallenge = grant.codeChallenge !== undefined
      return { outcome: 'redeemed', subject: grant.subject, hadChallenge }
    },
    reset: () => issued.clear(),
  }
}

function matchesChallenge(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined) return true
  const proof = createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url')
  return proof === challenge
}
