import { Problem } from '@signalbox/contract'
import { accessTokenEndpoints } from '@signalbox/contract/rest'
import type { AuditRequest } from '../../audit/audit-event.ts'
import { addressSubject } from '../../http/admission/client-address.ts'
import type { RateLimiter } from '../../http/admission/rate-limit.ts'
import type { Router } from '../../http/router.ts'
import { toAuditRequest } from '../../audit/caller.ts'
import { redeemDevice, type RedeemedDevice } from '../devices/redeem-device.ts'
import { exchangeToken, type ExchangedToken, type ExchangeTokenDeps } from './exchange-token.ts'
import { answerOAuth, refuseOAuth } from './oauth-answer.ts'
import type { OAuthError, OAuthErrorCode } from './oauth-parameters.ts'
import { parseTokenRequest, type TokenRequest } from './token-request.ts'

/** Describes the dependencies of the routes. */
export interface AccessTokenRoutesDeps extends ExchangeTokenDeps {
  readonly store: Parameters<typeof redeemDevice>[0]['store']
  readonly limiter: RateLimiter
}

/** Lists the errors that guesses of credentials end with. They count against the limit of the address. */
const guesses: ReadonlySet<OAuthErrorCode> = new Set(['invalid_client', 'invalid_grant'])

/** Mounts `POST /oauth/token`. */
export function mountAccessTokens(router: Router, deps: AccessTokenRoutesDeps): void {
  const failures = deps.limiter.bucket('invalidCredentials')
  router.addRaw(accessTokenEndpoints.exchangeToken, async (request) => {
    const subject = addressSubject(request.ip)
    if (failures.isEmpty(subject)) throw tooManyFailures()
    const authorization = request.header('authorization')
    const contentType = request.header('content-type')
    const body = await request.readBytes()
    const parsed = parseTokenRequest({ authorization, contentType, body })
    const result = 'error' in parsed ? parsed : await answerGrant(deps, parsed, request)
    if (!('error' in result)) return answerOAuth(200, result)
    if (guesses.has(result.error)) failures.take(subject)
    return refuseOAuth(result, authorization !== undefined)
  })
}

function answerGrant(
  deps: AccessTokenRoutesDeps,
  parsed: TokenRequest,
  request: AuditRequest,
): Promise<ExchangedToken | RedeemedDevice | OAuthError> {
  return parsed.grant === 'client_credentials'
    ? exchangeToken(deps, parsed)
    : redeemDevice(deps, { deviceCode: parsed.deviceCode, request: toAuditRequest(request) })
}

function tooManyFailures(): Problem {
  const detail = 'Too many wrong credentials came from this address. Wait, then use right ones.'
  return new Problem('rate_limited', detail, { retryAfterSeconds: 5 })
}
