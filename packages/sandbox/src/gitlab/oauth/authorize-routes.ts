import { html, redirect } from '../../http/answers.ts'
import { readFields } from '../../http/fields.ts'
import { markup, renderPage } from '../../http/page.ts'
import type { Answer, Route } from '../../http/route.ts'
import { renderAuthorizationPage } from '../../oauth/authorization-page.ts'
import type { GitlabParts } from '../parts.ts'
import { scopes as scopeTexts } from '../seed.ts'

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
 * @see https://docs.gitlab.com/api/oauth2/
 */
export function authorizeRoutes(parts: GitlabParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/oauth/authorize',
      handle: ({ query }) => {
        const read: Read = (name) => query.get(name) ?? ''
        return showViolation(parts, read) ?? returnViolation(parts, read) ?? ask(parts, read)
      },
    },
    {
      method: 'POST',
      path: '/oauth/authorize',
      handle: (request) => {
        const fields = readFields(request)
        const read: Read = (name) => fields.get(name) ?? ''
        return showViolation(parts, read) ?? returnViolation(parts, read) ?? decide(parts, read)
      },
    },
  ]
}

/** Returns the page that explains a wrong client or address. It does not redirect to an address that nobody registered. */
function showViolation({ state: { application } }: GitlabParts, read: Read): Answer | undefined {
  if (read('client_id') !== application.clientId) {
    const text = 'Client authentication failed due to unknown client.'
    return html(renderPage('An error has occurred', markup`<p>${text}</p>`), 401)
  }
  if (application.redirectUris.includes(read('redirect_uri'))) return undefined
  const text = 'The redirect URI included is not valid.'
  return html(renderPage('An error has occurred', markup`<p>${text}</p>`), 400)
}

/** Returns the redirect that tells the application what its request lacks (RFC 6749 §4.1.2.1). */
function returnViolation({ state: { application } }: GitlabParts, read: Read): Answer | undefined {
  const scopes = splitScopes(read('scope'))
  const challenge = read('code_challenge')
  const wrong: readonly (readonly [boolean, string, string])[] = [
    [
      read('response_type') !== 'code',
      'unsupported_response_type',
      'The authorization server does not support this response type.',
    ],
    [
      scopes.length === 0 || scopes.some((scope) => !application.scopes.has(scope)),
      'invalid_scope',
      'The requested scope is invalid, unknown, or malformed.',
    ],
    [
      !application.isConfidential && challenge === '',
      'invalid_request',
      'Code challenge is required.',
    ],
    [
      challenge !== '' && read('code_challenge_method') !== 'S256',
      'invalid_code_challenge_method',
      'The code_challenge_method must be S256.',
    ],
  ]
  const fault = wrong.find(([applies]) => applies)
  return fault && goBack(read, { error: fault[1], error_description: fault[2] })
}

function ask({ state }: GitlabParts, read: Read): Answer {
  const people = [...state.users.values()].map(({ username, name }) => ({
    value: username,
    label: name,
  }))
  return renderAuthorizationPage({
    provider: 'GitLab',
    account: 'the person below',
    clientId: state.application.name,
    permissions: splitScopes(read('scope')).map((scope) => scopeTexts.get(scope) ?? scope),
    choice: { name: 'person', label: 'Signed in as', options: people },
    action: '/gitlab/oauth/authorize',
    fields: Object.fromEntries(sent.map((name) => [name, read(name)])),
  })
}

function decide({ state, codes }: GitlabParts, read: Read): Answer {
  const user = state.users.get(read('person'))
  if (read('decision') !== 'allow' || user === undefined) {
    return goBack(read, {
      error: 'access_denied',
      error_description: 'The resource owner or authorization server denied the request.',
    })
  }
  const redirectUri = read('redirect_uri')
  const clientId = read('client_id')
  const code = codes.issue({
    clientId,
    redirectUri,
    codeChallenge: read('code_challenge') || undefined,
    subject: { user, scopes: splitScopes(read('scope')), clientId, redirectUri },
  })
  return goBack(read, { code })
}

function goBack(read: Read, fields: Readonly<Record<string, string>>): Answer {
  const back = new URL(read('redirect_uri'))
  for (const [name, value] of Object.entries(fields)) back.searchParams.append(name, value)
  if (read('state') !== '') back.searchParams.append('state', read('state'))
  return redirect(back)
}

function splitScopes(scope: string): string[] {
  return [...new Set(scope.split(' ').filter((one) => one !== ''))]
}
