import { createHash } from 'node:crypto'
import type { Sandbox } from '../../../../../../sandbox/src/sandbox.ts'
import { visit } from '../../../../../../sandbox/src/visit.ts'

/** Holds an address at which nobody listens: redirects to it are read, not followed. */
const redirectUri = 'http://127.0.0.1:4400/connections/forgejo/callback'

const verifier = 'a-verifier-of-the-tests-that-is-long-enough-for-rfc-7636'

/** Describes what the token endpoint answers, tokens or an error. */
export interface TokenAnswer {
  readonly access_token: string
  readonly refresh_token: string
  readonly error?: string
}

/** Goes through the page, and returns the query of the redirect. */
export function authorize(sandbox: Sandbox, scope = 'write:repository read:user') {
  sandbox.forgejo.app.redirectUris = [redirectUri]
  const query = new URLSearchParams({
    client_id: sandbox.forgejo.app.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    state: 'state-1',
    scope,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return visit(`${sandbox.addresses.forgejo}/login/oauth/authorize?${query}`, 'allow', redirectUri)
}

/** Asks the token endpoint, with the application's credentials unless `fields` has others. */
async function askToken(
  sandbox: Sandbox,
  fields: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const { clientId, clientSecret } = sandbox.forgejo.app
  const answer = await fetch(`${sandbox.addresses.forgejo}/login/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uri: redirectUri,
      ...fields,
    }),
  })
  return (await answer.json()) as TokenAnswer
}

/** Renews tokens. */
export function refresh(sandbox: Sandbox, refreshToken: string): Promise<TokenAnswer> {
  return askToken(sandbox, { grant_type: 'refresh_token', refresh_token: refreshToken })
}

/** Goes through everything, and returns the first tokens. */
export async function connect(sandbox: Sandbox, scope?: string): Promise<TokenAnswer> {
  const code = (await authorize(sandbox, scope)).get('code') ?? ''
  return askToken(sandbox, { grant_type: 'authorization_code', code, code_verifier: verifier })
}
