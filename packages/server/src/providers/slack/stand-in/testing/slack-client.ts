import type { Sandbox } from '../../../../../../sandbox/src/sandbox.ts'

export type Body = Readonly<Record<string, unknown>>

export const redirectUri = 'http://127.0.0.1:4400/slack/callback'

/** Holds what a product asks for that posts messages and lists channels. */
export const usualScopes = ['chat:write', 'chat:write.public', 'channels:read', 'groups:read']

export interface Connected {
  readonly token: string
  readonly body: Body
  /** Calls a method with the token, as a form. Answers the body. */
  readonly call: (method: string, fields?: Readonly<Record<string, unknown>>) => Promise<Body>
}

/** Goes through the consent page and exchanges the code. */
export async function connect(sandbox: Sandbox, scopes = usualScopes): Promise<Connected> {
  const code = await consentCode(sandbox, { scope: scopes.join(',') })
  const body = await access(sandbox, { code, redirect_uri: redirectUri })
  const token = String(body['access_token'])
  return {
    token,
    body,
    call: (method, fields = {}) => callMethod(sandbox, method, { ...fields, token }),
  }
}

/** The code that the visitor's consent brings. */
export async function consentCode(
  sandbox: Sandbox,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const back = await decide(sandbox, { ...fields, decision: 'allow' })
  return back.searchParams.get('code') ?? ''
}

/** Sends the visitor's decision, and returns the address that it leads to. */
export async function decide(
  sandbox: Sandbox,
  fields: Readonly<Record<string, string>>,
): Promise<URL> {
  const { app } = sandbox.slack
  app.redirectUris = [redirectUri]
  const response = await fetch(`${sandbox.addresses.slackWeb}/oauth/v2/authorize`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ client_id: app.clientId, redirect_uri: redirectUri, ...fields }),
  })
  return new URL(response.headers.get('location') ?? '')
}

/** `oauth.v2.access` with the app's own id and secret. */
export function access(sandbox: Sandbox, fields: Readonly<Record<string, string>>): Promise<Body> {
  const { clientId, clientSecret } = sandbox.slack.app
  const client = { client_id: clientId, client_secret: clientSecret }
  return callMethod(sandbox, 'oauth.v2.access', { ...client, ...fields })
}

/** Posts a form. What is no text is sent as JSON. */
export async function callMethod(
  sandbox: Sandbox,
  method: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Body> {
  const form = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const response = await fetch(`${sandbox.addresses.slackApi}/${method}`, {
    method: 'POST',
    body: new URLSearchParams(Object.fromEntries(form)),
  })
  return (await response.json()) as Body
}
