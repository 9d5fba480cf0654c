import type { GithubCaller } from '../authorize.ts'
import { botLoginOf } from '../create-app.ts'
import { addressesOf, type GithubAddresses } from '../shapes/addresses.ts'
import type { GithubAccount, GithubRepository, GithubState } from '../state.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../../sandbox/src/http/route.ts'
import type { GithubParts } from '../parts.ts'

export type RepositoryParts = Pick<GithubParts, 'state' | 'authorize' | 'activity'>

/** Describes a request that was authorized for a repository. */
export interface RepositoryRequest extends SandboxRequest {
  readonly repository: GithubRepository
  readonly addresses: GithubAddresses
  /** Holds the account that the caller acts as: the user, or the app's bot. */
  readonly actor: GithubAccount
}

/**
 * Creates a route below `/repos/:owner/:repo`, such as `GET /deployments`, that answers only callers with its permission in the
 * repository.
 */
export function toRoute(
  { state, authorize }: RepositoryParts,
  at: string,
  permission: readonly [name: string, access: 'read' | 'write'],
  handle: (request: RepositoryRequest) => Answer,
): Route {
  return route(at.replace(' ', ' /repos/:owner/:repo'), (request) => {
    const authorized = authorize(request, permission)
    if ('refused' in authorized) return authorized.refused
    const { repository, caller } = authorized
    return handle({
      ...request,
      // Links to other pages name a repository by its id, as GitHub's do.
      path: pathById(request.path, repository),
      repository,
      addresses: addressesOf(state),
      actor: actorOf(state, caller),
    })
  })
}

/** Example: `/repos/acme/shop/deployments` -> `/repositories/1000001/deployments`. */
function pathById(path: string, { id }: GithubRepository): string {
  return path.replace(/^\/(?:repos\/[^/]+\/[^/]+|repositories\/\d+)/, `/repositories/${id}`)
}

function actorOf({ accounts }: GithubState, caller: GithubCaller): GithubAccount {
  if (caller.kind === 'user') return caller.account
  const bot = accounts.get(botLoginOf(caller.app))
  if (bot === undefined) throw new Error(`${caller.app.slug} has no bot.`)
  return bot
}
