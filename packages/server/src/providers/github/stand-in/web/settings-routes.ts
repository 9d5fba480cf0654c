import { html, redirect } from '../../../../../../sandbox/src/http/answers.ts'
import { readFields } from '../../../../../../sandbox/src/http/fields.ts'
import { markup, renderPage } from '../../../../../../sandbox/src/http/page.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../../sandbox/src/http/route.ts'
import type { GithubInstallation, GithubState } from '../state.ts'
import { visitorOf } from './install-routes.ts'
import { noticePage, noSuchPage } from './notice-page.ts'
import type { GithubParts } from '../parts.ts'

type Parts = Pick<GithubParts, 'state' | 'installations'>

/** Creates the pages on which a user uninstalls or suspends an app, or revokes their authorization. */
export function createSettingsRoutes({ state, installations }: Parts): Route[] {
  const path = '/settings/installations/:installationId'
  const forInstallation =
    (answer: (installation: GithubInstallation, request: SandboxRequest) => Answer) =>
    (request: SandboxRequest) => {
      const installation = state.installations.get(Number(request.params['installationId']))
      return installation === undefined ? noSuchPage() : answer(installation, request)
    }
  return [
    route(
      `GET ${path}`,
      forInstallation((one, request) => show(state, one, request)),
    ),
    route(
      `POST ${path}`,
      forInstallation((installation, request) => {
        const by = visitorOf(state, installation.account)
        switch (readFields(request).get('decision') ?? '') {
          case 'uninstall':
            installations.uninstall(installation, by)
            return noticePage('Uninstalled', 'The app received a webhook.', 200)
          case 'suspend':
            installations.suspend(installation, by)
            break
          case 'unsuspend':
            installations.unsuspend(installation, by)
            break
          case 'revoke': {
            const app = state.apps.get(installation.appId)
            if (app !== undefined) installations.revokeAuthorization(app, by)
            break
          }
          default:
            return noticePage('Nothing was changed', 'There is no such choice.', 422)
        }
        return redirect(`${request.origin}/github${request.path}`, 303)
      }),
    ),
  ]
}

function show(
  state: GithubState,
  { appId, account, suspendedAt }: GithubInstallation,
  { origin, path }: SandboxRequest,
): Answer {
  const name = state.apps.get(appId)?.name ?? ''
  const [decision, label] =
    suspendedAt === undefined ? ['suspend', 'Suspend'] : ['unsuspend', 'Unsuspend']
  const content = markup`<p>${name} is installed on ${account.login}.</p>
<form method="post" action="${`${origin}/github${path}`}">
<button name="decision" value="${decision}">${label}</button>
<button name="decision" value="uninstall">Uninstall</button>
<button name="decision" value="revoke">Revoke authorization</button>
</form>`
  return html(renderPage(`Settings of ${name}`, content))
}
