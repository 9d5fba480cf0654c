import { Problem } from '@signalbox/contract'
import { identityEndpoints } from '@signalbox/contract/rest'
import { addressSubject } from '../../http/client-address.ts'
import type { RawAnswer } from '../../http/endpoint-request.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import type { Router } from '../../http/router.ts'
import { exchangeToken, type ExchangeTokenDeps } from './exchange-token.ts'
import { parseTokenRequest, type TokenError } from './token-request.ts'

export interface AccessTokenRoutesDeps extends ExchangeTokenDeps {
  readonly limiter: RateLimiter
}

/** Mounts `POST /oauth/token`. */
export function mountAccessTokens(router: Router, deps: AccessTokenRoutesDeps): void {
  const failures = deps.limiter.bucket('invalidCredentials')
  router.addRaw(identityEndpoints.exchangeToken, async (request) => {
    const subject = addressSubject(request.ip)
    if (failures.isEmpty(subject)) throw tooManyFailures()
    const authorization = request.header('authorization')
    const contentType = request.header('content-type')
    const body = await request.readBytes()
    const parsed = parseTokenRequest({ authorization, contentType, body })
    const result = 'error' in parsed ? parsed : await exchangeToken(deps, parsed)
    if (!('error' in result)) return answer(200, result)
    if (result.error === 'invalid_client') failures.take(subject)
    return refuse(result, authorization !== undefined)
  })
}

/** Wrong clients are 401, and told how to authenticate if they tried to (RFC 6749 §5.2). */
function refuse({ error, description }: TokenError, usedHeader: boolean): RawAnswer {
  const isClient = error === 'invalid_client'
  const challenge = isClient && usedHeader ? { 'WWW-Authenticate': 'Basic realm="signalbox"' } : {}
  return answer(isClient ? 401 : 400, { error, error_description: description }, challenge)
}

function answer(
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

function tooManyFailures(): Problem {
  const detail = 'Too many wrong credentials came from this address. Wait, then use right ones.'
  return new Problem('rate_limited', detail, { retryAfterSeconds: 5 })
}
