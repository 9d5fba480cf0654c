import { html, redirect } from '../http/answers.ts'
import { readFields } from '../http/fields.ts'
import { markup, renderPage, type Markup } from '../http/page.ts'
import { route, type Answer, type Route } from '../http/route.ts'
import type { AuthorizationCodes } from './authorization-codes.ts'

/** Reads a field of a request. A missing field is empty. */
export type Read = (name: string) => string

type Parameters = Readonly<Record<string, string>>

/**
 * Describes why a request is not granted. `page`: nobody is sent to an address that may not be the application's. `back`: the
 * application is told by these parameters (RFC 6749 §4.1.2.1).
 */
export type Rejection = { readonly page: Answer } | { readonly back: Parameters }

/** Describes how a provider asks a person to authorize an application. */
export interface AuthorizationSettings<Subject> {
  /** Holds the path of the provider, such as `/gitlab`, and the page below it. */
  readonly mount: string
  readonly path: string
  /** Holds the path that the page is sent to. Default: its own. */
  readonly decidesAt?: string
  readonly codes: AuthorizationCodes<Subject>
  /** Returns the address that the browser is led back to. Default: the field `redirect_uri`. */
  readonly redirectUriOf?: (read: Read) => string
  /** Returns what is wrong with a request, before a person is asked and again before it is granted. */
  readonly judge: (read: Read) => Rejection | undefined
  readonly ask: (read: Read) => Omit<AuthorizationPrompt, 'action' | 'fields' | 'clientId'> & {
    /** Default: the id of the client. */
    readonly clientId?: string
    /** Holds fields of the form beside those of the request. */
    readonly more?: Parameters
  }
  /** Returns what the person grants, with parameters that go back beside the code, or why that is refused. */
  readonly grant: (
    read: Read,
  ) => { readonly subject: Subject; readonly more?: Parameters } | Rejection
  /** Holds the parameters of a person's rejection. Default: `error=access_denied`. */
  readonly denied?: Parameters
  /** Says that an empty state is sent back, too. */
  readonly returnsEmptyState?: true
  /** Holds the status of the redirect. Default 302. */
  readonly redirectStatus?: 303
}

/** Creates the page that asks a person to authorize an application, and the route that its buttons post to. */
export function authorizeRoutes<Subject>(settings: AuthorizationSettings<Subject>): Route[] {
  const { path, decidesAt = path } = settings
  return [
    route(`GET ${path}`, ({ query }) => {
      const read: Read = (name) => query.get(name) ?? ''
      const rejection = settings.judge(read)
      return rejection === undefined ? ask(settings, query) : lead(settings, read, rejection)
    }),
    route(`POST ${decidesAt}`, (request) => {
      const fields = readFields(request)
      return decide(settings, (name) => fields.get(name) ?? '')
    }),
  ]
}

/** Returns the page of a request that leads nowhere. */
export function refusedPage(title: string, text: string, status = 400): Rejection {
  return { page: html(renderPage(title, markup`<p>${text}</p>`), status) }
}

/** Returns the rejection of the first rule that applies. `undefined`: none does. */
export function firstOf(
  rules: readonly (readonly [applies: boolean, rejection: Rejection])[],
): Rejection | undefined {
  return rules.find(([applies]) => applies)?.[1]
}

/** Returns the parts of a list, each once. */
export function splitScopes(scopes: string, separator: string | RegExp = ' '): string[] {
  return [...new Set(scopes.split(separator).filter((one) => one !== ''))]
}

function ask<Subject>(settings: AuthorizationSettings<Subject>, query: URLSearchParams): Answer {
  const { mount, path, decidesAt = path } = settings
  const { more, ...prompt } = settings.ask((name) => query.get(name) ?? '')
  const { [prompt.choice?.name ?? '']: _, decision: __, ...sent } = Object.fromEntries(query)
  return renderAuthorizationPage({
    clientId: query.get('client_id') ?? '',
    ...prompt,
    action: `${mount}${decidesAt}`,
    fields: { ...sent, ...more },
  })
}

function decide<Subject>(settings: AuthorizationSettings<Subject>, read: Read): Answer {
  const { judge, codes, grant, denied = { error: 'access_denied' } } = settings
  const rejection = judge(read) ?? (read('decision') === 'deny' ? { back: denied } : undefined)
  if (rejection !== undefined) return lead(settings, read, rejection)
  if (read('decision') !== 'allow') {
    return html(renderPage('Something went wrong', markup`<p>Allow or deny access.</p>`), 400)
  }
  const granted = grant(read)
  if (!('subject' in granted)) return lead(settings, read, granted)
  const code = codes.issue({
    clientId: read('client_id'),
    redirectUri: addressOf(settings, read),
    codeChallenge: read('code_challenge') || undefined,
    subject: granted.subject,
  })
  return lead(settings, read, { back: { code, ...granted.more } })
}

function addressOf<Subject>({ redirectUriOf }: AuthorizationSettings<Subject>, read: Read): string {
  return redirectUriOf?.(read) ?? read('redirect_uri')
}

/** Shows the page, or leads back with the parameters and the state. */
function lead<Subject>(
  settings: AuthorizationSettings<Subject>,
  read: Read,
  rejection: Rejection,
): Answer {
  if ('page' in rejection) return rejection.page
  const to = new URL(addressOf(settings, read))
  for (const [name, value] of Object.entries(rejection.back)) to.searchParams.append(name, value)
  const state = read('state')
  if (state !== '' || settings.returnsEmptyState) to.searchParams.append('state', state)
  return redirect(to, settings.redirectStatus)
}

/** Describes a choice of what the person gives access to. The first option is preselected. */
interface AuthorizationChoice {
  readonly name: string
  /** Example: `Site`. */
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** Describes the question of a provider's authorization page. */
interface AuthorizationPrompt {
  readonly provider: string
  /** Names the account, such as `octocat`. */
  readonly account: string
  readonly clientId: string
  /** Lists the requested permissions, one line each. */
  readonly permissions: readonly string[]
  /** Holds a choice, such as one of several sites. It is sent as `name`. */
  readonly choice?: AuthorizationChoice | undefined
  /** Holds the address that the buttons post to, with `decision` set to `allow` or `deny`. */
  readonly action: string
  /** Holds hidden fields, which are sent unchanged. */
  readonly fields: Readonly<Record<string, string>>
}

/** Returns the page that asks the person to authorize the app, with a button to allow and one to deny. */
function renderAuthorizationPage(prompt: AuthorizationPrompt): Answer {
  const { provider, account, clientId, permissions, choice, action, fields } = prompt
  const content = markup`<p>The application <code>${clientId}</code> asks ${account} for access to ${provider}:</p>
<ul>${permissions.map((permission) => markup`<li>${permission}</li>`)}</ul>
<form method="post" action="${action}">
${Object.entries(fields).map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`)}
${choice && renderChoice(choice)}
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>`
  return html(renderPage(`${provider}: allow access?`, content))
}

function renderChoice({ name, label, options }: AuthorizationChoice): Markup {
  return markup`<p><label>${label}: <select name="${name}">
${options.map((option) => markup`<option value="${option.value}">${option.label}</option>`)}
</select></label></p>`
}
