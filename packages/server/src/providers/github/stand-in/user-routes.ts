import { json } from '../../../../../sandbox/src/http/answers.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../sandbox/src/http/route.ts'
import { onlyForUsers } from './access/only-for.ts'
import { pageOf } from './page-of.ts'
import { owns } from './access/reach.ts'
import { refuse } from './errors.ts'
import { addressesOf } from './shapes/addresses.ts'
import { toInstallation } from './shapes/installation.ts'
import { toRepository } from './shapes/repository.ts'
import { toSimpleUser } from './shapes/simple-user.ts'
import { toTimestamp } from './shapes/timestamp.ts'
import type {
  GithubAccount,
  GithubApp,
  GithubInstallation,
  GithubRepository,
  GithubState,
} from './state.ts'
import type { components } from '@octokit/openapi-types'
import type { GithubParts } from './parts.ts'

type Parts = Pick<GithubParts, 'state' | 'identify'>

/**
 * Creates the routes of a user's token: the user, and the app's installations that they own.
 *
 * @see https://docs.github.com/en/rest/apps/installations
 */
export function createUserRoutes({ state, identify }: Parts): Route[] {
  return [
    route(
      'GET /user',
      onlyForUsers(identify, ({ account }) => json(toPublicUser(state, account))),
    ),
    route(
      'GET /user/installations',
      onlyForUsers(
        identify,
        ({ app, account }, request) => listInstallations(state, { app, account }, request),
        () =>
          refuse(
            403,
            'You must authenticate with an access token authorized to a GitHub App in order to list installations',
          ),
      ),
    ),
  ]
}

interface UserOfApp {
  readonly app: GithubApp
  readonly account: GithubAccount
}

/** Returns the app's installations on the user's own account and on organizations that they own. */
function installationsSeenBy(
  state: GithubState,
  { app, account }: UserOfApp,
): GithubInstallation[] {
  return [...state.installations.values()].filter(
    (installation) => installation.appId === app.id && owns(state, account, installation.account),
  )
}

function listInstallations(state: GithubState, seeing: UserOfApp, request: SandboxRequest): Answer {
  const visibleInstallations = installationsSeenBy(state, seeing)
  const { items, headers } = pageOf(request, visibleInstallations)
  const installations = items.map((installation) => toInstallation(state, seeing.app, installation))
  return json({ total_count: visibleInstallations.length, installations }, 200, headers)
}

/** Answers with a page of the repositories that an installation reaches. */
export function listRepositories(
  state: GithubState,
  { repositories: selection }: GithubInstallation,
  request: SandboxRequest,
  reached: readonly GithubRepository[],
): Answer {
  const { items, headers } = pageOf(request, reached)
  const addresses = addressesOf(state)
  const body = {
    total_count: reached.length,
    repository_selection: selection === 'all' ? 'all' : 'selected',
    repositories: items.map((repository) => toRepository(addresses, repository)),
  }
  return json(body, 200, headers)
}

/** GitHub shows an app only the public profile of a user. */
function toPublicUser(state: GithubState, account: GithubAccount) {
  const since = toTimestamp(new Date(0))
  const repositories = [...state.repositories.values()].filter(
    (repository) => repository.owner.id === account.id && !repository.private,
  )
  return {
    ...toSimpleUser(addressesOf(state), account),
    name: account.name,
    company: null,
    blog: null,
    location: null,
    email: null,
    hireable: null,
    bio: null,
    public_repos: repositories.length,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: since,
    updated_at: since,
  } satisfies components['schemas']['public-user']
}
