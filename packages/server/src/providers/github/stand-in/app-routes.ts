import { empty, json } from '../../../../../sandbox/src/http/answers.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../sandbox/src/http/route.ts'
import { versionOf } from './api-middleware.ts'
import { onlyForApps } from './access/only-for.ts'
import { notFound } from './errors.ts'
import { toApp } from './shapes/app.ts'
import { toInstallation } from './shapes/installation.ts'
import { type GithubApp, type GithubInstallation, type GithubState } from './state.ts'
import type { GithubParts } from './parts.ts'

type Parts = Pick<GithubParts, 'state' | 'identify' | 'installations'>

type ForInstallation = (
  installation: GithubInstallation,
  app: GithubApp,
  request: SandboxRequest,
) => Answer

/** Creates the routes about the app itself and its installations. @see https://docs.github.com/en/rest/apps/apps */
export function createAppRoutes({ state, identify, installations }: Parts): Route[] {
  const forApp = (answer: (app: GithubApp, request: SandboxRequest) => Answer) =>
    onlyForApps(identify, answer)
  const forInstallation = (answer: ForInstallation) =>
    forApp((app, request) => {
      const installation = findInstallation(state, app, request)
      return installation === undefined ? notFound() : answer(installation, app, request)
    })
  const show: ForInstallation = (installation, app) =>
    json(toInstallation(state, app, installation))
  const path = '/app/installations/:installationId'
  return [
    route(
      'GET /app',
      forApp((app) => {
        const installations_count = installationsOf(state, app).length
        return json({ ...toApp(state, app), installations_count })
      }),
    ),
    route(`GET ${path}`, forInstallation(show)),
    route(
      `DELETE ${path}`,
      forInstallation((installation, _, request) => {
        installations.uninstall(installation)
        // The newer API version answers that the removal continues in the background.
        return empty(versionOf(request) === '2022-11-28' ? 204 : 202)
      }),
    ),
  ]
}

/** Returns the app's own installation that the path names, or `undefined`. */
export function findInstallation(
  state: GithubState,
  app: GithubApp,
  { params }: SandboxRequest,
): GithubInstallation | undefined {
  return installationsOf(state, app).find(({ id }) => String(id) === params['installationId'])
}

function installationsOf({ installations }: GithubState, app: GithubApp): GithubInstallation[] {
  return [...installations.values()].filter(({ appId }) => appId === app.id)
}
