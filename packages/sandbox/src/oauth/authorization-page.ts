import { html } from '../http/answers.ts'
import { markup, renderPage, type Markup } from '../http/page.ts'
import type { Answer } from '../http/route.ts'

/** Describes a choice of what the person gives access to. The first option is preselected. */
export interface AuthorizationChoice {
  readonly name: string
  /** Example: `Site`. */
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** Describes the question of a provider's authorization page. */
export interface AuthorizationPrompt {
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
export function renderAuthorizationPage(prompt: AuthorizationPrompt): Answer {
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
