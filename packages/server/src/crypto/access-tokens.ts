import { createPublicKey } from 'node:crypto'
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  errors,
  jwtVerify,
  SignJWT,
  type JWK,
  type JWTPayload,
} from 'jose'
import { toEd25519PrivateKey } from './ed25519.ts'
import { takeRandomBytes } from './random.ts'
import { deriveKey, type RootKey } from './root-key.ts'

/** Holds how long an access token works. Its key is looked up each time, so a revoked key ends it sooner. */
export const accessTokenSeconds = 15 * 60

const issuer = 'signalbox'
/** Marks the header as "access token", so that no other token signed by us passes for one (RFC 9068 §2.1). */
const tokenType = 'at+jwt'

/** Describes the API key and the organization of a short-lived access token. */
export interface AccessTokenClaims {
  readonly keyId: string
  readonly orgId: string
  /** The public part of the secret it was exchanged for: when that secret ends, so does the token. */
  readonly handle: string
}

/** Describes a verified access token. */
export interface ReadAccessToken extends AccessTokenClaims {
  readonly tokenId: string
  readonly expiresAt: Date
}

/** Signs short-lived access tokens. Every node verifies them with `publicJwk`. */
export interface AccessTokenIssuer {
  /** Holds the public key that nodes verify tokens with. It is not a secret. */
  readonly publicJwk: JWK
  issue(claims: AccessTokenClaims, now: Date): Promise<string>
}

/** Lists the failures of a token that its bearer may learn. */
export type AccessTokenFailure = 'invalid' | 'expired'

export interface AccessTokenVerifier {
  verify(token: string, now: Date): Promise<ReadAccessToken | AccessTokenFailure>
}

/** Creates an issuer of access tokens (JWT, Ed25519) with a key that is derived from the root key, so that it is stored nowhere. */
export async function createAccessTokenIssuer(rootKey: RootKey): Promise<AccessTokenIssuer> {
  const privateKey = toEd25519PrivateKey(deriveKey(rootKey, 'access-tokens'))
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint(jwk)
  return {
    publicJwk: { ...jwk, kid, alg: 'EdDSA', use: 'sig' },
    issue: ({ keyId, orgId, handle }, now) => {
      const issuedAt = Math.floor(now.getTime() / 1000)
      return new SignJWT({ org: orgId, handle })
        .setProtectedHeader({ alg: 'EdDSA', typ: tokenType, kid })
        .setIssuer(issuer)
        .setSubject(keyId)
        .setJti(takeRandomBytes(16).toString('base64url'))
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .sign(privateKey)
    },
  }
}

/** Verifies access tokens with public keys alone. Give the keys of both root keys while one replaces the other. */
export function createAccessTokenVerifier(publicJwks: readonly JWK[]): AccessTokenVerifier {
  const keys = createLocalJWKSet({ keys: [...publicJwks] })
  return {
    async verify(token, now) {
      try {
        const { payload } = await jwtVerify(token, keys, {
          algorithms: ['EdDSA'],
          issuer,
          typ: tokenType,
          currentDate: now,
          requiredClaims: ['sub', 'org', 'handle', 'jti', 'iat', 'exp'],
        })
        return toReadToken(payload)
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'expired'
        if (error instanceof errors.JOSEError) return 'invalid'
        throw error
      }
    },
  }
}

function toReadToken(payload: JWTPayload): ReadAccessToken | AccessTokenFailure {
  const { sub, org, handle, jti, exp } = payload
  if (sub === undefined || jti === undefined || exp === undefined) return 'invalid'
  if (typeof org !== 'string' || typeof handle !== 'string') return 'invalid'
  return { keyId: sub, orgId: org, handle, tokenId: jti, expiresAt: new Date(exp * 1000) }
}
