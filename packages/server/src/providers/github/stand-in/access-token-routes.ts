import { empty, json } from '../../../../../sandbox/src/http/answers.ts'
import { bearerOf, readJson } from '../../../../../sandbox/src/http/fields.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../sandbox/src/http/route.ts'
import { findInstallation } from './app-routes.ts'
import { repositoriesOf } from './installations.ts'
import { onlyForApps, onlyForInstallations } from './access/only-for.ts'
import { listRepositories } from './user-routes.ts'
import {
  isWithin,
  namedPermissions,
  parsePermissions,
  type Permissions,
} from './access/permissions.ts'
import { notFound, refuse, suspended } from './errors.ts'
import { addressesOf } from './shapes/addresses.ts'
import { toRepository } from './shapes/repository.ts'
import { toTimestamp } from './shapes/timestamp.ts'
import type { GithubInstallation, GithubRepository, GithubState } from './state.ts'
import type { components } from '@octokit/openapi-types'
import type { GithubParts } from './parts.ts'

type Parts = Pick<GithubParts, 'state' | 'tokens' | 'identify'>

/**
 * Creates the routes that issue installation tokens, for everything that the installation has or for less, and revoke
 * them.
 *
 * @see https://docs.github.com/en/rest/apps/apps#create-an-installation-access-token-for-an-app
 */
export function createAccessTokenRoutes({ state, tokens, identify }: Parts): Route[] {
  return [
    route(
      'POST /app/installations/:installationId/access_tokens',
      onlyForApps(identify, (app, request) => {
        const installation = findInstallation(state, app, request)
        if (installation === undefined) return notFound()
        if (installation.suspendedAt !== undefined) return suspended()
        return issueToken({ state, tokens }, installation, request)
      }),
    ),
    route(
      'GET /installation/repositories',
      onlyForInstallations(identify, ({ installation, repositories }, request) => {
        const reached = repositoriesOf(state, installation).filter(
          ({ id }) => repositories === 'all' || repositories.has(id),
        )
        return listRepositories(state, installation, request, reached)
      }),
    ),
    route(
      'DELETE /installation/token',
      onlyForInstallations(identify, (_, request) => {
        tokens.revoke(bearerOf(request))
        return empty()
      }),
    ),
  ]
}

function issueToken(
  { state, tokens }: Pick<Parts, 'state' | 'tokens'>,
  installation: GithubInstallation,
  request: SandboxRequest,
): Answer {
  const fields = readJson(request)
  const permissions = choosePermissions(installation, fields['permissions'])
  if (permissions === undefined) {
    return refuse(422, 'The permissions requested are not granted to this installation.')
  }
  const repositories = chooseRepositories(state, installation, fields)
  if (repositories === undefined) {
    return refuse(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    )
  }
  const { accessToken: token, expiresAtMs } = tokens.ofInstallations.issue({
    appId: installation.appId,
    installationId: installation.id,
    repositories: repositories === 'all' ? 'all' : new Set(repositories.map(({ id }) => id)),
    permissions,
  })
  const isAll = repositories === 'all' && installation.repositories === 'all'
  const addresses = addressesOf(state)
  const body = {
    token,
    expires_at: toTimestamp(new Date(expiresAtMs)),
    permissions: namedPermissions(permissions),
    repository_selection: isAll ? 'all' : 'selected',
    ...(repositories !== 'all' && {
      repositories: repositories.map((repository) => toRepository(addresses, repository)),
    }),
  } satisfies components['schemas']['installation-token']
  return json(body, 201)
}

/**
 * Returns the requested permissions with `metadata`, which every token has. `undefined`: they exceed those of the
 * installation.
 */
function choosePermissions(
  { permissions }: GithubInstallation,
  requestedPermissions: unknown,
): Permissions | undefined {
  if (requestedPermissions === undefined) return permissions
  const parsed = parsePermissions(requestedPermissions)
  if (parsed === undefined || !isWithin(parsed, permissions)) return undefined
  return { metadata: 'read', ...parsed }
}

/** Returns `undefined` when one of the repositories is not the installation's. */
function chooseRepositories(
  state: GithubState,
  installation: GithubInstallation,
  { repository_ids: ids, repositories: names }: Readonly<Record<string, unknown>>,
): 'all' | readonly GithubRepository[] | undefined {
  if (ids === undefined && names === undefined) return 'all'
  const reached = repositoriesOf(state, installation)
  const idsAndNames = [...listOf(ids), ...listOf(names)]
  const chosen = reached.filter(
    ({ id, name }) => idsAndNames.includes(id) || idsAndNames.includes(name),
  )
  return idsAndNames.length > 0 && chosen.length === new Set(idsAndNames).size ? chosen : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
