import type { AuthorizedRequest, AuthorizeForRepository, GithubCaller } from './authorize.ts'
import type { Identify } from './access/identify.ts'
import { permissionsIn } from './access/reach.ts'
import { notAccessible, notFound } from './errors.ts'
import { findRepository, type GithubRepository, type GithubState } from './state.ts'

/**
 * Creates the check of access to repositories. Any token reads a public repository, as on GitHub. A private one that
 * the caller cannot access is not found.
 */
export function createAuthorize(deps: {
  readonly state: GithubState
  readonly identify: Identify
}): AuthorizeForRepository {
  const { state, identify } = deps
  return (request, permission) => {
    const identified = identify(request)
    if ('refused' in identified) return identified
    const { caller } = identified
    if (caller.kind === 'app') return { refused: notAccessible() }
    const { owner = '', repo = '' } = request.params
    const repository = findRepository(state, owner, repo)
    if (repository === undefined) return { refused: notFound() }
    return judge(state, { caller, repository }, permission)
  }
}

function judge(
  state: GithubState,
  request: { readonly caller: GithubCaller; readonly repository: GithubRepository },
  [name, access]: Parameters<AuthorizeForRepository>[1],
): AuthorizedRequest {
  const { caller, repository } = request
  if (access === 'read' && !repository.private) return request
  const permissions = permissionsIn(state, caller, repository)
  if (permissions === undefined) {
    return { refused: repository.private ? notFound() : notAccessible() }
  }
  const grantedAccess = name === 'metadata' ? (permissions[name] ?? 'read') : permissions[name]
  return grantedAccess === 'write' || grantedAccess === access
    ? request
    : { refused: notAccessible() }
}
