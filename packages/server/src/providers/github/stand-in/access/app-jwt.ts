import { verify } from 'node:crypto'
import type { Answer } from '../../../../../../sandbox/src/http/route.ts'
import { refuse } from '../errors.ts'
import type { GithubApp, GithubState } from '../state.ts'

/** Holds the app that signed a token, or the rejection to send. */
export type VerifiedApp = { readonly app: GithubApp } | { readonly refused: Answer }

/** Limits how far in the future a token may expire. */
const lifetimeSecondsMax = 600
/** Limits how far the app's clock may be ahead of GitHub's. */
const driftSeconds = 60

/** Returns whether a token has the three parts of a JWT (RFC 7519). Says nothing of its signature. */
export function looksLikeJwt(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)
}

/**
 * Checks the token that an app signs for itself (RS256, ten minutes at most).
 *
 * @see https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
 */
export function verifyAppJwt(state: GithubState, token: string): VerifiedApp {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const claims = decode(payload)
  if (decode(header)['alg'] !== 'RS256' || signature === '') return undecodable()
  const app = [...state.apps.values()].find(
    ({ id, clientId }) => String(claims['iss']) === String(id) || claims['iss'] === clientId,
  )
  if (app === undefined) return { refused: refuse(404, 'Integration not found') }
  const signed = Buffer.from(`${header}.${payload}`)
  if (!verify('sha256', signed, app.publicKey, Buffer.from(signature, 'base64url'))) {
    return undecodable()
  }
  return checkTimes(claims, state.clock.now().getTime() / 1000) ?? { app }
}

function checkTimes(
  { exp, iat }: Readonly<Record<string, unknown>>,
  nowSeconds: number,
): { readonly refused: Answer } | undefined {
  if (typeof iat !== 'number' || iat > nowSeconds + driftSeconds) {
    return claim(
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    )
  }
  if (typeof exp !== 'number' || exp <= nowSeconds) {
    return claim(
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    )
  }
  if (exp > nowSeconds + lifetimeSecondsMax) {
    return claim("'Expiration time' claim ('exp') is too far in the future")
  }
  return undefined
}

const claim = (message: string) => ({ refused: refuse(401, message) })

const undecodable = () => claim('A JSON web token could not be decoded')

function decode(part: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value))
      : {}
  } catch {
    return {}
  }
}
