import type { Answer, SandboxRequest } from '../http/route.ts'
import type { Admitted, AdmitToRepository, GithubCaller } from './admit.ts'
import type { Identify } from './identify.ts'
import { permissionsIn } from './reach.ts'
import { notAccessible, notFound, refuse } from './refusals.ts'
import { findRepository, type GithubRepository, type GithubState } from './state.ts'

/**
 * Admits to repositories by token. A public repository can be read with any token, as on GitHub; a private one that the
 * caller was not given is not found. What was renamed answers 301 (307 to writes) with its lasting address.
 */
export function createAdmit(deps: {
  readonly state: GithubState
  readonly identify: Identify
}): AdmitToRepository {
  const { state, identify } = deps
  return (request, permission) => {
    const identified = identify(request)
    if ('refused' in identified) return identified
    const { caller } = identified
    if (caller.kind === 'app') return { refused: notAccessible() }
    const { repository, isFormerName } = findByAddress(state, request)
    if (repository === undefined) return { refused: notFound() }
    const judged = judge(state, { caller, repository }, permission)
    const isMoved = isFormerName && 'repository' in judged
    return isMoved ? { refused: moved(request, repository) } : judged
  }
}

function judge(
  state: GithubState,
  asked: { readonly caller: GithubCaller; readonly repository: GithubRepository },
  [name, access]: Parameters<AdmitToRepository>[1],
): Admitted {
  const { caller, repository } = asked
  if (access === 'read' && !repository.private) return asked
  const permissions = permissionsIn(state, caller, repository)
  if (permissions === undefined)
    return { refused: repository.private ? notFound() : notAccessible() }
  const given = name === 'metadata' ? (permissions[name] ?? 'read') : permissions[name]
  return given === 'write' || given === access ? asked : { refused: notAccessible() }
}

function findByAddress(
  state: GithubState,
  { params }: SandboxRequest,
): { readonly repository: GithubRepository | undefined; readonly isFormerName: boolean } {
  const { owner = '', repo = '', repositoryId } = params
  if (repositoryId !== undefined) {
    return { repository: state.repositories.get(Number(repositoryId)), isFormerName: false }
  }
  const repository = findRepository(state, owner, repo)
  if (repository !== undefined) return { repository, isFormerName: false }
  const id = state.formerNames.get(`${owner}/${repo}`.toLowerCase())
  return { repository: state.repositories.get(id ?? 0), isFormerName: true }
}

function moved({ method, path, query, origin }: SandboxRequest, { id }: GithubRepository): Answer {
  const rest = path.split('/').slice(4)
  const url = new URL(`${origin}/github/api/${['repositories', id, ...rest].join('/')}`)
  url.search = query.toString()
  const status = method === 'GET' ? 301 : 307
  const message = method === 'GET' ? 'Moved Permanently' : 'Temporary Redirect'
  const answer = refuse(status, message, { url: url.href })
  return { ...answer, headers: { ...answer.headers, location: url.href } }
}
