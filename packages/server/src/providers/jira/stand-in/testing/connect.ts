import type { Sandbox } from '../../../../../../sandbox/src/sandbox.ts'
import type { SiteName } from '../state.ts'

/** Holds an address at which nobody listens: redirects to it are read, not followed. */
export const redirectUri = 'http://127.0.0.1:4400/connections/jira/callback'

/** Returns what a product sends to the consent page. */
export function authorizationFields(sandbox: Sandbox, scope = 'read:jira-work offline_access') {
  return {
    audience: 'api.atlassian.com',
    client_id: sandbox.jira.app.clientId,
    scope,
    redirect_uri: redirectUri,
    state: 'state-1',
    response_type: 'code',
    prompt: 'consent',
  }
}

/** The consent page, as a browser gets it. */
export function openConsentPage(sandbox: Sandbox, fields: Readonly<Record<string, string>>) {
  const query = new URLSearchParams(fields).toString()
  return fetch(`${sandbox.addresses.jiraAuth}/authorize?${query}`, { redirect: 'manual' })
}

/** Describes what the person at the consent page does. Default: allows what the tests ask for. */
export interface Decision {
  readonly fields?: Readonly<Record<string, string>>
  readonly decision?: 'allow' | 'deny'
  /** Default: the one that the page offers first. */
  readonly site?: SiteName
}

/** Opens the consent page and sends its form. Answers what the form's address answers. */
export async function decide(sandbox: Sandbox, options: Decision = {}): Promise<Response> {
  const { fields = authorizationFields(sandbox), decision = 'allow', site } = options
  const page = await (await openConsentPage(sandbox, fields)).text()
  const form = new URLSearchParams(
    [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
    ),
  )
  const offered = /<option value="([^"]*)">/.exec(page)?.[1]
  if (offered !== undefined) form.set('site', offered)
  if (site !== undefined) form.set('site', site)
  form.set('decision', decision)
  const action = /<form method="post" action="([^"]*)">/.exec(page)?.[1] ?? ''
  return fetch(new URL(action, sandbox.origin), { method: 'POST', body: form, redirect: 'manual' })
}

/** Returns the address that a response redirects to. */
export async function redirectOf(answer: Response | Promise<Response>): Promise<URL> {
  return new URL((await answer).headers.get('location') ?? '')
}

/** A code that was just given for a consent. */
export async function getCode(sandbox: Sandbox, options?: Decision): Promise<string> {
  return (await redirectOf(decide(sandbox, options))).searchParams.get('code') ?? ''
}

/** Describes what the token endpoint answers, whether tokens or an error. */
export interface TokenAnswer {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
  readonly error?: string
}

/** Asks the token endpoint, with the app's id and secret unless `fields` has others. */
export function postToken(sandbox: Sandbox, fields: Readonly<Record<string, string>>) {
  const { clientId, clientSecret } = sandbox.jira.app
  return fetch(`${sandbox.addresses.jiraAuth}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: clientId, client_secret: clientSecret, ...fields }),
  })
}

/** Returns what the token endpoint answers for a code. */
export async function exchange(sandbox: Sandbox, code: string): Promise<TokenAnswer> {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
  return readTokens(await postToken(sandbox, fields))
}

/** Returns what the token endpoint answers for a refresh token. */
export async function refresh(sandbox: Sandbox, refreshToken: string): Promise<TokenAnswer> {
  return readTokens(await postRefresh(sandbox, refreshToken))
}

/** The answer itself, for its status. */
export function postRefresh(sandbox: Sandbox, refreshToken: string): Promise<Response> {
  return postToken(sandbox, { grant_type: 'refresh_token', refresh_token: refreshToken })
}

async function readTokens(answer: Response): Promise<TokenAnswer> {
  return (await answer.json()) as TokenAnswer
}

/** Goes through the consent of these scopes and answers the first tokens. */
export async function connect(sandbox: Sandbox, scope?: string): Promise<TokenAnswer> {
  return exchange(sandbox, await getCode(sandbox, { fields: authorizationFields(sandbox, scope) }))
}

/** Asks the gateway. With a body it is a POST of JSON. */
export function callApi(sandbox: Sandbox, token: string, path: string, body?: unknown) {
  return fetch(`${sandbox.addresses.jiraApi}${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
}

/** Asks Jira's REST API of the first site. Path below `/rest/api/3`. */
export function callJira(sandbox: Sandbox, token: string, path: string, body?: unknown) {
  const { cloudId } = sandbox.jira.sites.acme
  return callApi(sandbox, token, `/ex/jira/${cloudId}/rest/api/3${path}`, body)
}
