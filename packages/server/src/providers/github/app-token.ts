import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import type { GithubApp } from './application.ts'

/** GitHub takes ten minutes at most; clocks differ. */
const lifetimeSeconds = 9 * 60
const clockSkewSeconds = 60

/**
 * Returns the token by which an App speaks for itself.
 *
 * @see https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
 */
export function signAppToken(
  { appId, privateKey }: Pick<GithubApp, 'appId' | 'privateKey'>,
  now: Date,
): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(appId)
    .setIssuedAt(seconds - clockSkewSeconds)
    .setExpirationTime(seconds + lifetimeSeconds)
    .sign(createPrivateKey(privateKey))
}
