import { empty, json } from '../http/answers.ts'
import { route, type Answer, type Route, type SandboxRequest } from '../http/route.ts'
import { versionOf } from './api-middleware.ts'
import { onlyForApps } from './access/only-for.ts'
import { pageOf } from './page-of.ts'
import { covers } from './access/reach.ts'
import { notFound } from './errors.ts'
import { toApp } from './shapes/app.ts'
import { toInstallation } from './shapes/installation.ts'
import {
  findRepository,
  type GithubApp,
  type GithubInstallation,
  type GithubState,
} from './state.ts'
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
    route('GET /app/installations', forApp(listInstallations(state))),
    route(`GET ${path}`, forInstallation(show)),
    route('GET /repos/:owner/:repo/installation', forInstallation(show)),
    route('GET /orgs/:account/installation', forInstallation(show)),
    route('GET /users/:account/installation', forInstallation(show)),
    route(
      `DELETE ${path}`,
      forInstallation((installation, _, request) => {
        installations.uninstall(installation)
        // The newer API version answers that the removal continues in the background.
        return empty(versionOf(request) === '2022-11-28' ? 204 : 202)
      }),
    ),
    route(
      `PUT ${path}/suspended`,
      forInstallation((installation) => {
        if (installation.suspendedAt === undefined) installations.suspend(installation)
        return empty()
      }),
    ),
    route(
      `DELETE ${path}/suspended`,
      forInstallation((installation) => {
        if (installation.suspendedAt !== undefined) installations.unsuspend(installation)
        return empty()
      }),
    ),
  ]
}

/** Returns the app's own installation that the path names by id, account or repository, or `undefined`. */
export function findInstallation(
  state: GithubState,
  app: GithubApp,
  { params }: SandboxRequest,
): GithubInstallation | undefined {
  const { installationId, account, owner, repo } = params
  const mine = installationsOf(state, app)
  if (installationId !== undefined) return mine.find(({ id }) => String(id) === installationId)
  if (account !== undefined) {
    return mine.find((one) => one.account.login.toLowerCase() === account.toLowerCase())
  }
  const repository = findRepository(state, owner ?? '', repo ?? '')
  return repository && mine.find((one) => covers(one, repository))
}

function installationsOf({ installations }: GithubState, app: GithubApp): GithubInstallation[] {
  return [...installations.values()].filter(({ appId }) => appId === app.id)
}

function listInstallations(state: GithubState) {
  return (app: GithubApp, request: SandboxRequest): Answer => {
    const { items, headers } = pageOf(request, installationsOf(state, app))
    return json(
      items.map((installation) => toInstallation(state, app, installation)),
      200,
      headers,
    )
  }
}
