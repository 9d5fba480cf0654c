import { accessTokenEndpoints } from '@signalbox/contract/rest'
import type { AuditRequest } from '../../audit/audit-event.ts'
import { createCredentialGuard } from '../../http/admission/credential-guard.ts'
import type { RateLimiter } from '../../http/admission/rate-limit.ts'
import type { Router } from '../../http/router.ts'
import { toAuditRequest } from '../../audit/caller.ts'
import type { AgentTokens } from '../members/agent-tokens/oauth/issue-tokens.ts'
import { redeemCode } from '../members/agent-tokens/oauth/redeem-code.ts'
import { refreshTokens } from '../members/agent-tokens/oauth/refresh-tokens.ts'
import { redeemDevice, type RedeemedDevice } from '../devices/redeem-device.ts'
import { exchangeAssertion, type ExchangeAssertionDeps } from './exchange-assertion.ts'
import { exchangeToken, type ExchangedToken, type ExchangeTokenDeps } from './exchange-token.ts'
import { answerOAuth, refuseOAuth } from './oauth-answer.ts'
import type { OAuthError, OAuthErrorCode } from './oauth-parameters.ts'
import { parseTokenRequest, type TokenRequest } from './token-request.ts'

export interface AccessTokenRoutesDeps extends ExchangeTokenDeps, ExchangeAssertionDeps {
  readonly store: Parameters<typeof redeemCode>[0]['store']
  readonly signInKey: Buffer
  readonly limiter: RateLimiter
}

/** Lists the errors that guesses of credentials end with. They count against the limit of the address. */
const guesses: ReadonlySet<OAuthErrorCode> = new Set(['invalid_client', 'invalid_grant'])

/** Mounts `POST /oauth/token`. */
export function mountAccessTokens(router: Router, deps: AccessTokenRoutesDeps): void {
  const guard = createCredentialGuard(deps.limiter)
  router.addRaw(accessTokenEndpoints.exchangeToken, async (request) => {
    const { ip } = request
    const authorization = request.header('authorization')
    const contentType = request.header('content-type')
    const body = await request.readBytes()
    const parsed = parseTokenRequest({ authorization, contentType, body })
    // The codes and tokens of devices and assistants, and the key of an assertion, are looked up in the database, an API key in memory.
    const isLookedUp = 'grant' in parsed && parsed.grant !== 'client_credentials'
    if (isLookedUp) guard.check(ip)
    const result = 'error' in parsed ? parsed : await answerGrant(deps, parsed, request)
    if (!('error' in result)) return answerOAuth(200, result)
    if (guesses.has(result.error)) {
      if (isLookedUp) guard.count(ip)
      else guard.countWrong(ip)
    }
    return refuseOAuth(result, authorization !== undefined)
  })
}

function answerGrant(
  deps: AccessTokenRoutesDeps,
  parsed: TokenRequest,
  request: AuditRequest & { readonly ip: string },
): Promise<ExchangedToken | RedeemedDevice | AgentTokens | OAuthError> {
  if (parsed.grant === 'client_credentials') return exchangeToken(deps, parsed, request.ip)
  if (parsed.grant === 'assertion') return exchangeAssertion(deps, parsed, request.ip)
  if (parsed.grant === 'authorization_code') {
    return redeemCode(deps, parsed, toAuditRequest(request))
  }
  if (parsed.grant === 'refresh_token') {
    return refreshTokens(deps, parsed, toAuditRequest(request))
  }
  return redeemDevice(deps, { deviceCode: parsed.deviceCode, request: toAuditRequest(request) })
}
