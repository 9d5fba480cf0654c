import { html, redirect } from '../http/answers.ts'
import { readFields } from '../http/fields.ts'
import { markup, renderPage } from '../http/page.ts'
import type { Answer, Route } from '../http/route.ts'
import type { AuthorizationCodes } from '../oauth/authorization-codes.ts'
import { renderAuthorizationPage } from '../oauth/authorization-page.ts'
import { jiraScopes } from './jira-scopes.ts'
import type { JiraSite, JiraState } from './state.ts'

/** Reads a field that the product sends with the browser. A missing field is empty. */
type Read = (name: string) => string

const fieldNames = [
  'audience',
  'client_id',
  'scope',
  'redirect_uri',
  'state',
  'response_type',
  'prompt',
  'code_challenge',
  'code_challenge_method',
]

/**
 * Creates the authorization page of Atlassian's OAuth 2.0 (3LO).
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/
 */
export function authorizeRoutes(
  jira: JiraState,
  codes: AuthorizationCodes<readonly string[]>,
): Route[] {
  return [
    {
      method: 'GET',
      path: '/authorize',
      handle: ({ query }) => {
        const read: Read = (name) => query.get(name) ?? ''
        return refuse(jira, read) ?? askForAuthorization(jira, read)
      },
    },
    {
      method: 'POST',
      path: '/authorize',
      handle: (request) => {
        const fields = readFields(request)
        const read: Read = (name) => fields.get(name) ?? ''
        return refuse(jira, read) ?? decide(jira, codes, read)
      },
    },
  ]
}

/**
 * Returns the page that explains a wrong request. It does not redirect, because the request may not come from the
 * client that it names.
 */
function refuse({ app }: JiraState, read: Read): Answer | undefined {
  const scopes = splitScopes(read('scope'))
  const wrong: readonly (readonly [boolean, string])[] = [
    [read('client_id') !== app.clientId, 'There is no app with this client_id.'],
    [!app.redirectUris.includes(read('redirect_uri')), 'The app has no such redirect_uri.'],
    [read('audience') !== 'api.atlassian.com', 'The audience must be api.atlassian.com.'],
    [read('response_type') !== 'code', 'The response_type must be code.'],
    [read('prompt') !== 'consent', 'The prompt must be consent.'],
    [read('state') === '', 'A state is required.'],
    [scopes.length === 0, 'A scope is required.'],
    [scopes.some((scope) => !jiraScopes.has(scope)), 'The app has no such scope.'],
    [
      read('code_challenge') !== '' && read('code_challenge_method') !== 'S256',
      'The code_challenge_method must be S256.',
    ],
  ]
  const violation = wrong.find(([applies]) => applies)
  return violation && showProblem(violation[1])
}

function showProblem(text: string): Answer {
  return html(renderPage('Something went wrong', markup`<p>${text}</p>`), 400)
}

function splitScopes(scope: string): string[] {
  return [...new Set(scope.split(' ').filter((one) => one !== ''))]
}

function offeredSites({ sites }: JiraState): JiraSite[] {
  return Object.values(sites).filter(({ offered }) => offered)
}

function askForAuthorization(jira: JiraState, read: Read): Answer {
  const sites = offeredSites(jira)
  const sent = fieldNames.map((name) => [name, read(name)] as const)
  const options = sites.map(({ name }) => ({ value: name, label: name }))
  const chooses = sites.length > 1
  return renderAuthorizationPage({
    provider: 'Atlassian',
    account: jira.account.displayName,
    clientId: jira.app.clientId,
    permissions: splitScopes(read('scope')).map((scope) => jiraScopes.get(scope) ?? scope),
    choice: chooses ? { name: 'site', label: 'Site', options } : undefined,
    action: '/atlassian/auth/authorize',
    fields: Object.fromEntries([
      ...sent,
      ...(chooses ? [] : sites.map(({ name }) => ['site', name] as const)),
    ]),
  })
}

function decide(jira: JiraState, codes: AuthorizationCodes<readonly string[]>, read: Read): Answer {
  const back = new URL(read('redirect_uri'))
  back.searchParams.append('state', read('state'))
  if (read('decision') === 'deny') {
    back.searchParams.append('error', 'access_denied')
    back.searchParams.append('error_description', 'User did not authorize the request')
    return redirect(back)
  }
  const site = offeredSites(jira).find(({ name }) => name === read('site'))
  if (read('decision') !== 'allow' || site === undefined) {
    return showProblem('Choose a site, then allow or deny access to it.')
  }
  const scopes = splitScopes(read('scope'))
  addScopes(jira, site, scopes)
  const code = codes.issue({
    clientId: read('client_id'),
    redirectUri: read('redirect_uri'),
    codeChallenge: read('code_challenge') || undefined,
    subject: scopes,
  })
  back.searchParams.append('code', code)
  return redirect(back)
}

function addScopes({ granted }: JiraState, { cloudId }: JiraSite, scopes: readonly string[]): void {
  const ofJira = scopes.filter((scope) => scope !== 'offline_access')
  granted.set(cloudId, new Set([...(granted.get(cloudId) ?? []), ...ofJira]))
}
