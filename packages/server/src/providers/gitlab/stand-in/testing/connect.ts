import { createHash } from 'node:crypto'
import type { Sandbox } from '../../../../../../sandbox/src/sandbox.ts'
import { visit } from '../../../../../../sandbox/src/visit.ts'

/** Holds an address at which nobody listens: redirects to it are read, not followed. */
export const redirectUri = 'http://127.0.0.1:4400/connections/gitlab/callback'

const verifier = 'a-verifier-of-the-tests-that-is-long-enough-for-rfc-7636'

/** Describes what the token endpoint answers, tokens or an error. */
export interface TokenAnswer {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
  readonly error?: string
}

/** Returns what a product sends to the page that asks the person. */
export function authorizationFields(sandbox: Sandbox, scope = 'api') {
  return {
    client_id: sandbox.gitlab.app.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    state: 'state-1',
    scope,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
}

/** Goes through the page, and returns the query of the redirect. */
export function authorize(
  sandbox: Sandbox,
  fields: Readonly<Record<string, string>> = authorizationFields(sandbox),
  decision: 'allow' | 'deny' = 'allow',
): Promise<URLSearchParams> {
  const query = new URLSearchParams(fields)
  return visit(`${sandbox.addresses.gitlab}/oauth/authorize?${query}`, decision, redirectUri)
}

/** Asks the token endpoint, with the application's credentials unless `fields` has others. */
export function postToken(sandbox: Sandbox, fields: Readonly<Record<string, string>>) {
  const { clientId, clientSecret } = sandbox.gitlab.app
  return fetch(`${sandbox.addresses.gitlab}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uri: redirectUri,
      ...fields,
    }),
  })
}

/** Exchanges a code. */
export async function exchange(
  sandbox: Sandbox,
  code: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<TokenAnswer> {
  const sent = { grant_type: 'authorization_code', code, code_verifier: verifier, ...fields }
  return read(await postToken(sandbox, sent))
}

/** Renews a pair of tokens. */
export async function refresh(sandbox: Sandbox, refreshToken: string): Promise<TokenAnswer> {
  return read(
    await postToken(sandbox, { grant_type: 'refresh_token', refresh_token: refreshToken }),
  )
}

/** Goes through everything, and returns the first tokens. */
export async function connect(sandbox: Sandbox, scope?: string): Promise<TokenAnswer> {
  sandbox.gitlab.app.redirectUris = [redirectUri]
  const query = await authorize(sandbox, authorizationFields(sandbox, scope))
  return exchange(sandbox, query.get('code') ?? '')
}

/** Asks the API. With a body it is a POST of JSON. */
export function callApi(sandbox: Sandbox, token: string, path: string, body?: unknown) {
  return fetch(`${sandbox.addresses.gitlab}/api/v4${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
}

async function read(answer: Response): Promise<TokenAnswer> {
  return (await answer.json()) as TokenAnswer
}
