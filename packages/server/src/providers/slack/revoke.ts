import { z } from 'zod'
import { callProvider, readProviderJson, type ProviderCall } from '../call-provider.ts'
import { ProviderError } from '../provider-error.ts'

const answer = z.object({ ok: z.boolean(), error: z.string().optional() })

/** Lists the codes that say that a token is dead already. */
const endedTokenCodes: ReadonlySet<string> = new Set([
  'token_revoked',
  'invalid_auth',
  'account_inactive',
  'token_expired',
])

/**
 * Ends a token. One that is dead already is fine: the code that says so is returned, and `undefined` for one that was ended.
 *
 * @throws {ProviderError}
 * @see https://docs.slack.dev/reference/methods/auth.revoke
 */
export async function revokeSlackToken(
  call: ProviderCall,
  apiUrl: string,
  accessToken: string,
): Promise<string | undefined> {
  const response = await callProvider(call, {
    method: 'POST',
    url: `${apiUrl}/auth.revoke`,
    headers: { authorization: `Bearer ${accessToken}` },
  })
  const { ok, error = 'unknown_error' } = answer.parse(readProviderJson('slack', response))
  if (!ok && !endedTokenCodes.has(error)) {
    throw new ProviderError({ provider: 'slack', failure: 'unavailable', code: error })
  }
  return ok ? undefined : error
}
