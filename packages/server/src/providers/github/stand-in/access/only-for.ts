import { bearerOf } from '../../../../../../sandbox/src/http/fields.ts'
import type { Answer, SandboxRequest } from '../../../../../../sandbox/src/http/route.ts'
import type { GithubCaller } from '../authorize.ts'
import { looksLikeJwt } from './app-jwt.ts'
import type { Identify } from './identify.ts'
import { notAccessible, refuse } from '../errors.ts'
import type { GithubApp } from '../state.ts'

type Handle = (request: SandboxRequest) => Answer
type InstallationCaller = Extract<GithubCaller, { readonly kind: 'installation' }>
type UserCaller = Extract<GithubCaller, { readonly kind: 'user' }>

/** Admits an app's own token. Answers 401 to all others, as GitHub does. */
export function onlyForApps(
  identify: Identify,
  answer: (app: GithubApp, request: SandboxRequest) => Answer,
): Handle {
  return (request) => {
    const token = bearerOf(request)
    if (token.startsWith('gh') || !looksLikeJwt(token)) {
      return refuse(401, 'A JSON web token could not be decoded')
    }
    const identified = identify(request)
    if ('refused' in identified) return identified.refused
    return answer(identified.caller.app, request)
  }
}

/** Admits installation tokens. Answers 403 to apps and users. */
export function onlyForInstallations(
  identify: Identify,
  answer: (caller: InstallationCaller, request: SandboxRequest) => Answer,
): Handle {
  return (request) => {
    const identified = identify(request)
    if ('refused' in identified) return identified.refused
    const { caller } = identified
    return caller.kind === 'installation' ? answer(caller, request) : notAccessible()
  }
}

/** Admits users' tokens. `refused` is the answer to an app or an installation. */
export function onlyForUsers(
  identify: Identify,
  answer: (caller: UserCaller, request: SandboxRequest) => Answer,
  refused: () => Answer = notAccessible,
): Handle {
  return (request) => {
    const identified = identify(request)
    if ('refused' in identified) return identified.refused
    const { caller } = identified
    return caller.kind === 'user' ? answer(caller, request) : refused()
  }
}
