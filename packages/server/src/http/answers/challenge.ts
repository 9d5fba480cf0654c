import { oauthScopes, type Problem } from '@signalbox/contract'

/**
 * Returns the `WWW-Authenticate` of a rejection at `/mcp`: where an assistant learns how to get a token, and the scopes that the call
 * needs. `undefined`: the rejection has nothing to do with a token.
 *
 * @see RFC 9728 §5.1, RFC 6750 §3
 */
export function challengeAssistant(
  { code, status }: Pick<Problem, 'code' | 'status'>,
  publicUrl: string,
): string | undefined {
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`
  if (code === 'insufficient_scope') {
    return `Bearer error="insufficient_scope", scope="${oauthScopes.write}", ${metadata}`
  }
  if (status !== 401) return undefined
  const error = code === 'missing_credentials' ? '' : 'error="invalid_token", '
  return `Bearer ${error}scope="${oauthScopes.read}", ${metadata}`
}
