import { bearerOf } from '../../../../../../sandbox/src/http/fields.ts'
import type { Answer, SandboxRequest } from '../../../../../../sandbox/src/http/route.ts'
import type { GithubCaller } from '../authorize.ts'
import { looksLikeJwt, verifyAppJwt } from './app-jwt.ts'
import { badCredentials, requiresAuthentication, suspended } from '../errors.ts'
import type { GithubState } from '../state.ts'
import type { GithubTokens } from './token-store.ts'

/** Holds the caller, or the rejection of the token. */
export type Identified = { readonly caller: GithubCaller } | { readonly refused: Answer }

/** Identifies the caller of a request by the token. Answers 401 for a bad one, and 403 when the installation is suspended. */
export type Identify = (request: SandboxRequest) => Identified

/** Looks the token up at each request, so that a revoked one is refused. */
export function createIdentify(deps: {
  readonly state: GithubState
  readonly tokens: GithubTokens
}): Identify {
  return (request) => {
    const token = bearerOf(request)
    if (token === '') return { refused: requiresAuthentication() }
    if (token.startsWith('ghs_')) return identifyInstallation(deps.state, deps.tokens, token)
    if (token.startsWith('ghu_')) return identifyUser(deps.state, deps.tokens, token)
    if (!looksLikeJwt(token)) return { refused: badCredentials() }
    const verified = verifyAppJwt(deps.state, token)
    return 'refused' in verified ? verified : { caller: { kind: 'app', app: verified.app } }
  }
}

function identifyInstallation(state: GithubState, tokens: GithubTokens, token: string): Identified {
  const issued = tokens.ofInstallations.findGood(token)?.grant
  const app = issued && state.apps.get(issued.appId)
  const installation = issued && state.installations.get(issued.installationId)
  if (issued === undefined || app === undefined || installation === undefined) {
    return { refused: badCredentials() }
  }
  if (installation.suspendedAt !== undefined) return { refused: suspended() }
  const { repositories, permissions } = issued
  return { caller: { kind: 'installation', app, installation, repositories, permissions } }
}

function identifyUser(state: GithubState, tokens: GithubTokens, token: string): Identified {
  const issued = tokens.ofUsers.findGood(token)?.grant
  const app = issued && state.apps.get(issued.appId)
  const account = issued && state.accounts.get(issued.login)
  if (app === undefined || account === undefined) return { refused: badCredentials() }
  return { caller: { kind: 'user', app, account } }
}
