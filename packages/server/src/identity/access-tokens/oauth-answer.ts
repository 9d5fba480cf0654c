import type { RawAnswer } from '../../http/input/endpoint-request.ts'
import type { OAuthError } from './oauth-parameters.ts'

/** Answers as RFC 6749 §5.1 says, so that no cache keeps it. */
export function answerOAuth(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): RawAnswer {
  return {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
      ...headers,
    },
    body: JSON.stringify(body),
  }
}

/** Refuses a request. Wrong clients get 401, and how to authenticate if they tried to (RFC 6749 §5.2). */
export function refuseOAuth({ error, description }: OAuthError, usedHeader = false): RawAnswer {
  const isClient = error === 'invalid_client'
  const challenge = isClient && usedHeader ? { 'WWW-Authenticate': 'Basic realm="signalbox"' } : {}
  const status = isClient ? 401 : error === 'temporarily_unavailable' ? 503 : 400
  return answerOAuth(status, { error, error_description: description }, challenge)
}
