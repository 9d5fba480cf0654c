import { claimedTokenKind } from '@signalbox/contract'
import { isRecord } from '../project/json.ts'
import type { Session } from '../session.ts'

const timeLimitMs = 10_000

/**
 * Exchanges a server key for an access token of 15 minutes (RFC 6749 §4.4), so that the job's definition or program
 * gets no lasting token. Returns any other token unchanged, and any that cannot be exchanged.
 */
export async function toShortLivedToken(session: Session, token: string): Promise<string> {
  if (claimedTokenKind(token) !== 'm2m') return token
  const api = await session.apiWith(token)
  // The next call reports a server that cannot be reached.
  const id = await api.whoAmI().then(
    (identity) => identity.id,
    () => null,
  )
  if (id === null) return token
  const response = await fetch(`${api.serverUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: token,
    }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeLimitMs),
  }).catch(() => undefined)
  const body: unknown = response?.ok ? await response.json() : undefined
  const accessToken = isRecord(body) ? body['access_token'] : undefined
  return typeof accessToken === 'string' ? accessToken : token
}
