import { createSign } from 'node:crypto'
import type { GithubApp } from '../state.ts'

/** The token that an app signs for itself, as the vendor's page describes it. `claims` and `alg` replace what it says. */
export function signAppJwt(
  app: Pick<GithubApp, 'id' | 'privateKey'>,
  now: Date,
  claims: Readonly<Record<string, unknown>> = {},
  alg = 'RS256',
): string {
  const seconds = Math.floor(now.getTime() / 1000)
  const payload = { iat: seconds - 60, exp: seconds + 540, iss: String(app.id), ...claims }
  const text = [{ alg, typ: 'JWT' }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${createSign('sha256').update(text).sign(app.privateKey, 'base64url')}`
}
