import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { json } from '../http/answers.ts'
import { route, type Route } from '../http/route.ts'

/** Describes an issuer of the tokens with which jobs of pipelines identify themselves (OpenID Connect). */
export interface JobIssuer {
  /** Names its key. Each issuer has one of its own. */
  readonly keyId: string
  /** Holds the path of the discovery document's folder below the mount, and of the key set. */
  readonly path: string
  readonly keysPath: string
  /** Returns the mount's address. Example: `http://127.0.0.1:4500/gitlab`. */
  readonly baseUrl: () => string
  /** Returns what the document says beside the usual. */
  readonly more?: () => Readonly<Record<string, unknown>>
}

const lifetimeSeconds = 300
const keys = new Map<string, { readonly privateKey: KeyObject; readonly publicKey: KeyObject }>()

/** Returns the key pair of an issuer, the same for every sandbox of this process. Creating one takes long. */
function keysOf({ keyId }: JobIssuer) {
  const pair = keys.get(keyId) ?? generateKeyPairSync('rsa', { modulusLength: 2048 })
  keys.set(keyId, pair)
  return pair
}

/** Creates the discovery document and the key set. */
export function issuerRoutes(issuer: JobIssuer): Route[] {
  const { keyId, path, keysPath, baseUrl, more } = issuer
  return [
    route(`GET ${path}/.well-known/openid-configuration`, () =>
      json({
        issuer: `${baseUrl()}${path}`,
        jwks_uri: `${baseUrl()}${keysPath}`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        scopes_supported: ['openid'],
        ...more?.(),
      }),
    ),
    route(`GET ${keysPath}`, () => {
      const jwk = keysOf(issuer).publicKey.export({ format: 'jwk' })
      return json({ keys: [{ ...jwk, kid: keyId, use: 'sig', alg: 'RS256' }] })
    }),
  ]
}

/** Signs the claims of a job. The token is valid for five minutes. */
export function issueToken(
  issuer: JobIssuer,
  clock: Clock,
  claims: Readonly<Record<string, unknown>>,
): string {
  const issuedAt = Math.floor(clock.now().getTime() / 1000)
  const body = {
    iss: `${issuer.baseUrl()}${issuer.path}`,
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    jti: randomUUID(),
    ...claims,
  }
  const signed = [{ alg: 'RS256', typ: 'JWT', kid: issuer.keyId }, body].map(encode).join('.')
  const signature = sign('RSA-SHA256', Buffer.from(signed), keysOf(issuer).privateKey)
  return `${signed}.${signature.toString('base64url')}`
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
