import { html, redirect } from '../../http/answers.ts'
import { readFields } from '../../http/fields.ts'
import { markup, renderPage } from '../../http/page.ts'
import type { Answer, Route } from '../../http/route.ts'
import { renderAuthorizationPage } from '../../oauth/authorization-page.ts'
import type { ForgejoParts } from '../parts.ts'

type Read = (name: string) => string

const sent = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
]

/**
 * Creates the page that asks a person to authorize the application.
 *
 * @see https://forgejo.org/docs/latest/user/oauth2-provider/
 */
export function authorizeRoutes(parts: ForgejoParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/login/oauth/authorize',
      handle: ({ query }) => {
        const read: Read = (name) => query.get(name) ?? ''
        return showViolation(parts, read) ?? returnViolation(read) ?? ask(parts, read)
      },
    },
    {
      method: 'POST',
      path: '/login/oauth/grant',
      handle: (request) => {
        const fields = readFields(request)
        const read: Read = (name) => fields.get(name) ?? ''
        return showViolation(parts, read) ?? returnViolation(read) ?? decide(parts, read)
      },
    },
  ]
}

/** Returns the page that explains a wrong client or address. It does not redirect to an address that nobody registered. */
function showViolation({ state: { application } }: ForgejoParts, read: Read): Answer | undefined {
  if (read('client_id') !== application.clientId) {
    const text = 'Client ID not registered'
    return html(renderPage('Authorization failed', markup`<p>${text}</p>`), 400)
  }
  if (application.redirectUris.includes(read('redirect_uri'))) return undefined
  const text = 'Unregistered Redirect URI'
  return html(renderPage('Authorization failed', markup`<p>${text}</p>`), 400)
}

/** Returns the redirect that tells the application what its request lacks (RFC 6749 §4.1.2.1). Unknown scopes are taken as they are. */
function returnViolation(read: Read): Answer | undefined {
  if (read('response_type') !== 'code') {
    const description = 'Only code response type is supported.'
    return goBack(read, { error: 'unsupported_response_type', error_description: description })
  }
  const method = read('code_challenge_method')
  if (method === '' || method === 'S256' || method === 'plain') return undefined
  const description = 'unsupported code challenge method'
  return goBack(read, { error: 'invalid_request', error_description: description })
}

function ask({ state }: ForgejoParts, read: Read): Answer {
  const people = [...state.users.values()].map(({ login, fullName }) => ({
    value: login,
    label: fullName,
  }))
  return renderAuthorizationPage({
    provider: state.settings.product === 'gitea' ? 'Gitea' : 'Forgejo',
    account: 'the person below',
    clientId: state.application.name,
    permissions: read('scope') === '' ? ['Everything'] : read('scope').split(' '),
    choice: { name: 'person', label: 'Signed in as', options: people },
    action: '/forgejo/login/oauth/grant',
    fields: Object.fromEntries(sent.map((name) => [name, read(name)])),
  })
}

function decide({ state, codes, tokens }: ForgejoParts, read: Read): Answer {
  const user = state.users.get(read('person'))
  if (read('decision') !== 'allow' || user === undefined) {
    const description = 'the request is denied'
    return goBack(read, { error: 'access_denied', error_description: description })
  }
  const scope = read('scope')
  const known = tokens.findGrant(user.login)
  if (known !== undefined && known.scope !== scope) {
    const description = 'a grant exists with different scope'
    return goBack(read, { error: 'server_error', error_description: description })
  }
  const code = codes.issue({
    clientId: read('client_id'),
    redirectUri: read('redirect_uri'),
    codeChallenge: read('code_challenge') || undefined,
    subject: known ?? tokens.addGrant(user, scope),
  })
  return goBack(read, { code })
}

function goBack(read: Read, fields: Readonly<Record<string, string>>): Answer {
  const back = new URL(read('redirect_uri'))
  for (const [name, value] of Object.entries(fields)) back.searchParams.append(name, value)
  if (read('state') !== '') back.searchParams.append('state', read('state'))
  return redirect(back, 303)
}
