import { html, redirect } from '../../../../../../sandbox/src/http/answers.ts'
import { markup, renderPage, type Markup } from '../../../../../../sandbox/src/http/page.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../../sandbox/src/http/route.ts'
import { fullNameOf } from '../shapes/repository.ts'
import {
  findAccount,
  type GithubAccount,
  type GithubApp,
  type GithubInstallation,
  type GithubState,
} from '../state.ts'
import { noticePage, noSuchPage } from './notice-page.ts'
import type { GithubParts } from '../parts.ts'

type Parts = Pick<GithubParts, 'state' | 'codes' | 'installations'>

/**
 * Creates the pages that install an app on an account, for all or some of its repositories, and redirect to the app.
 *
 * @see https://docs.github.com/en/apps/creating-github-apps/registering-a-github-app/about-the-setup-url
 */
export function createInstallRoutes(deps: Parts): Route[] {
  const forApp =
    (answer: (app: GithubApp, request: SandboxRequest) => Answer) => (request: SandboxRequest) => {
      const app = [...deps.state.apps.values()].find(({ slug }) => slug === request.params['slug'])
      return app === undefined ? noSuchPage() : answer(app, request)
    }
  const path = '/apps/:slug/installations/new'
  return [
    route(
      'GET /apps/:slug',
      forApp(({ slug }, { origin }) => redirect(`${origin}/github/apps/${slug}/installations/new`)),
    ),
    route(
      `GET ${path}`,
      forApp((app, request) => choose(deps.state, app, request)),
    ),
    route(
      `POST ${path}`,
      forApp((app, request) => install(deps, app, request)),
    ),
  ]
}

function choose(state: GithubState, app: GithubApp, { origin, query }: SandboxRequest): Answer {
  const accounts = [...state.accounts.values()].filter((account) => canInstall(account, app))
  const content = markup`<p>Install ${app.name} on</p>
<form method="post" action="${origin}/github/apps/${app.slug}/installations/new">
<input type="hidden" name="state" value="${query.get('state') ?? ''}">
<p><label>Account: <select name="account">
${accounts.map(({ login }) => markup`<option>${login}</option>`)}
</select></label></p>
<p><label><input type="radio" name="repository_selection" value="all" checked> All repositories</label></p>
<p><label><input type="radio" name="repository_selection" value="selected"> Only these:</label></p>
<ul>${repositoryBoxes(state)}</ul>
<button>Install</button>
</form>`
  return html(renderPage(`Install ${app.name}`, content))
}

function repositoryBoxes(state: GithubState): readonly Markup[] {
  return [...state.repositories.values()].map(
    (repository) =>
      markup`<li><label><input type="checkbox" name="repository" value="${repository.id}"> ${fullNameOf(repository)}</label></li>`,
  )
}

function install(
  { state, codes, installations }: Parts,
  app: GithubApp,
  request: SandboxRequest,
): Answer {
  const form = new URLSearchParams(request.body.toString('utf8'))
  const account = findAccount(state, form.get('account') ?? '')
  if (account === undefined || !canInstall(account, app)) return noSuchPage()
  const repositories = selectionOf(state, account, form)
  if (repositories === undefined) {
    return noticePage('Nothing was chosen', 'Choose repositories of this account.', 422)
  }
  const by = visitorOf(state, account)
  const before = state.installations.size
  const installation = installations.install({ app, account, repositories, by })
  const isNew = state.installations.size > before
  if (!isNew && !app.redirectsOnUpdate)
    return noticePage('Saved', 'The app received a webhook.', 200)
  const to = nextAddress({ app, codes }, by)
  if (to === undefined) return noticePage('Installed', `${app.name} was installed.`, 200)
  to.searchParams.set('installation_id', String(installation.id))
  to.searchParams.set('setup_action', isNew ? 'install' : 'update')
  const back = form.get('state') ?? ''
  if (back !== '') to.searchParams.set('state', back)
  return redirect(to)
}

function canInstall({ id, type }: GithubAccount, { isPublic, owner }: GithubApp): boolean {
  return type !== 'Bot' && (isPublic || id === owner.id)
}

/** Returns the selected repositories. `undefined`: none of this account. */
function selectionOf(
  { repositories }: GithubState,
  account: GithubAccount,
  form: URLSearchParams,
): GithubInstallation['repositories'] | undefined {
  if (form.get('repository_selection') !== 'selected') return 'all'
  const chosen = form
    .getAll('repository')
    .map(Number)
    .filter((id) => repositories.get(id)?.owner.id === account.id)
  return chosen.length === 0 ? undefined : new Set(chosen)
}

/** Returns the visitor of the page: the user of the account, or the first owner of the organization. */
export function visitorOf(state: GithubState, account: GithubAccount): GithubAccount {
  const [owner = ''] = state.owners.get(account.login) ?? []
  return findAccount(state, owner) ?? account
}

/** Returns the first callback with a code when the app requests the user too, else its setup URL. */
function nextAddress(
  { app, codes }: { readonly app: GithubApp; readonly codes: Parts['codes'] },
  user: GithubAccount,
): URL | undefined {
  const { callbackUrls, setupUrl, requestsUserOnInstall } = app
  const [callbackUrl] = callbackUrls
  if (!requestsUserOnInstall || callbackUrl === undefined) {
    return setupUrl === undefined ? undefined : new URL(setupUrl)
  }
  const to = new URL(callbackUrl)
  const code = codes.issue({
    clientId: app.clientId,
    redirectUri: callbackUrl,
    codeChallenge: undefined,
    subject: { appId: app.id, login: user.login },
  })
  to.searchParams.set('code', code)
  return to
}
