import { Problem } from '@signalbox/contract'
import {
  oidcEndpoints as endpoints,
  signInProviderEndpoints,
  type OidcRejection,
} from '@signalbox/contract/rest'
import { readCookie } from '../../http/admission/cookies.ts'
import type { EndpointRequest, RawAnswer } from '../../http/input/endpoint-request.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Router } from '../../http/router.ts'
import { findPerson } from '../authenticate.ts'
import { toCaller } from '../caller.ts'
import { toAuditRequest } from '../../audit/caller.ts'
import { requirePerson } from '../personal-tokens/require-person.ts'
import { requireSession } from '../sessions/require-session.ts'
import { renderSessionCookie, sessionCookie } from '../sessions/session.ts'
import { hasPassword } from '../user-rows.ts'
import { attemptLifetimeMs, beginOidc, type BeginOidc, type BegunOidc } from './begin-oidc.ts'
import { finishOidc, type FinishedOidc } from './finish-oidc.ts'
import { unlinkOidc } from './link-oidc.ts'
import type { Scope } from '../../store/scope.ts'
import type { OidcDeps } from './oidc-deps.ts'
import { OidcError } from './oidc-error.ts'
import { findProviderLink, hasSignInProviders } from './providers/rows.ts'
import { mountProviders, type ProviderRoutesDeps } from './providers/routes.ts'
import { findLink } from './rows.ts'

/** The browser that begins keeps half of what ends it. */
const cookieName = '__Host-oidc'
const cookieAttributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'
const endedCookie = `${cookieName}=; ${cookieAttributes}; Max-Age=0`

/** Mounts signing in with the OpenID provider, and linking an account there. */
export function mountOidc(router: Router, deps: ProviderRoutesDeps): void {
  router
    .add(endpoints.getSignInOptions, {
      handle: () => deps.store.maintenance(hasSignInProviders),
      present: (byEmail) => ({
        password: true as const,
        oidc: deps.provider === undefined ? null : { name: deps.provider.name },
        byEmail,
      }),
    })
    .addRaw(endpoints.beginOidcSignIn, ({ query }) => beginSignIn(deps, query.returnTo))
    .addRaw(endpoints.finishOidcSignIn, (request) => finish(deps, request, undefined))
    .addRaw(signInProviderEndpoints.finishProviderSignIn, (request) =>
      finish(deps, request, request.params.organization_id),
    )
  mountProviders(router, deps, renderCookie)
  mountLink(router, deps)
}

type Returning = Pick<
  EndpointRequest<typeof endpoints.finishOidcSignIn>,
  'query' | 'header' | 'requestId' | 'ip' | 'userAgent'
>

/** Finishes what a browser began that comes back from a provider: that of the settings, or one of an organization. */
async function finish(
  deps: OidcDeps,
  { query, header, ...request }: Returning,
  orgId: string | undefined,
): Promise<RawAnswer> {
  const { code, state, iss, error } = query
  const cookies = header('cookie')
  const finished = await finishOidc(deps, {
    answer: { code, state, iss, error },
    orgId,
    cookie: readCookie(cookies, cookieName),
    person: await findPerson(deps.authenticate, cookies),
    sessionToken: readCookie(cookies, sessionCookie),
    request: toAuditRequest(request),
  })
  return answerFinished(finished)
}

function mountLink(router: Router, deps: OidcDeps): void {
  router
    .add(endpoints.getOidcLink, {
      handle: ({ actor, scope }) => {
        const { userId } = requirePerson(actor)
        return readLink(deps, userId, scope)
      },
      present: ({ link, hasPassword: has }) => ({
        linked:
          link === undefined
            ? null
            : { issuer: link.issuer, email: link.email, linkedAt: link.createdAt.toISOString() },
        hasPassword: has,
      }),
    })
    .add(endpoints.beginOidcLink, {
      handle: async ({ actor, scope, body }) => {
        const { userId } = requireSession(actor)
        if ((await deps.store.transaction(scope, (tx) => findLink(tx, userId))) !== undefined) {
          throw new Problem(
            'already_exists',
            'An account is already linked. Remove that link first.',
          )
        }
        return beginForPerson(deps, { purpose: 'link', userId, returnTo: body.returnTo })
      },
      present: ({ url }) => ({ url }),
      headers: ({ cookie }) => ({ 'Set-Cookie': renderCookie(cookie) }),
    })
    .add(endpoints.beginOidcConfirm, {
      handle: async ({ actor, scope, body }) => {
        const { userId } = requireSession(actor)
        const begin = { purpose: 'confirm', userId, returnTo: body.returnTo } as const
        const link = await deps.store.transaction(scope, (tx) => findLink(tx, userId))
        if (link !== undefined) return beginForPerson(deps, begin)
        return beginAtOrganization(deps, begin)
      },
      present: ({ url }) => ({ url }),
      headers: ({ cookie }) => ({ 'Set-Cookie': renderCookie(cookie) }),
    })
    .add(endpoints.deleteOidcLink, { handle: (request) => unlinkOidc(deps, toCaller(request)) })
}

/** Reads with what a person signs in: the provider of the settings, or one of an organization. */
async function readLink(deps: OidcDeps, userId: string, scope: Scope) {
  const own = await deps.store.transaction(scope, async (tx) => ({
    link: await findLink(tx, userId),
    hasPassword: await hasPassword(tx, userId),
  }))
  if (own.link !== undefined) return own
  const row = await deps.store.maintenance((tx) => findProviderLink(tx, userId))
  return { ...own, link: row && { ...row, email: null } }
}

/** @throws {Problem} `not_found` for a person who signs in with no provider, `provider_error` */
async function beginAtOrganization(
  deps: OidcDeps,
  begin: Omit<BeginOidc, 'provider'>,
): Promise<BegunOidc> {
  const { userId } = begin
  if (userId === null) throw notFound()
  const link = await deps.store.maintenance((tx) => findProviderLink(tx, userId))
  const client = link && (await deps.providers.open(link.orgId, link.providerId))
  if (client === undefined) throw notFound()
  const { orgId, id } = client.row
  return beginForPerson({ ...deps, provider: client.client }, { ...begin, of: { orgId, id } })
}

async function beginSignIn(deps: OidcDeps, returnTo: string | undefined): Promise<RawAnswer> {
  const { provider } = deps
  if (provider === undefined) return goOn(loginPath('not_set_up', returnTo), endedCookie)
  try {
    const attempt = await beginOidc(deps, { provider, purpose: 'sign_in', userId: null, returnTo })
    return goOn(attempt.url, renderCookie(attempt.cookie))
  } catch (error) {
    if (!(error instanceof OidcError)) throw error
    warn(deps, error)
    return goOn(loginPath(error.rejection, returnTo), endedCookie)
  }
}

/** @throws {Problem} `provider_not_set_up`, `provider_error` */
async function beginForPerson(
  deps: OidcDeps,
  begin: Omit<BeginOidc, 'provider'>,
): Promise<BegunOidc> {
  const { provider } = deps
  if (provider === undefined) {
    throw new Problem('provider_not_set_up', 'This server has no OpenID provider in its settings.')
  }
  try {
    return await beginOidc(deps, { ...begin, provider })
  } catch (error) {
    if (!(error instanceof OidcError)) throw error
    warn(deps, error)
    const detail = 'The OpenID provider is not responding correctly. Try again in a few minutes.'
    throw new Problem('provider_error', detail)
  }
}

function warn({ log }: OidcDeps, { rejection, message }: OidcError): void {
  log.warn('The OpenID provider is not responding', { code: rejection, reason: message })
}

function answerFinished(finished: FinishedOidc): RawAnswer {
  if (finished.outcome === 'done') {
    const { session, returnTo } = finished
    const cookie =
      session === undefined ? endedCookie : renderSessionCookie(session.token, session.expiresAt)
    return goOn(returnTo ?? '/', cookie)
  }
  const { outcome, attempt } = finished
  const returnTo = attempt?.returnTo ?? undefined
  const isOfPerson = attempt !== undefined && attempt.purpose !== 'sign_in'
  return goOn(
    isOfPerson ? addError(returnTo ?? '/', outcome) : loginPath(outcome, returnTo),
    endedCookie,
  )
}

function loginPath(error: OidcRejection, returnTo: string | undefined): string {
  const query = new URLSearchParams({ error, ...(returnTo !== undefined && { returnTo }) })
  return `/login?${query.toString()}`
}

/** Returns the page where a person began, with the outcome. Concatenates text: resolving `/..//host` would yield a host. */
function addError(returnTo: string, error: OidcRejection): string {
  const hashAt = returnTo.includes('#') ? returnTo.indexOf('#') : returnTo.length
  const page = returnTo.slice(0, hashAt)
  return `${page}${page.includes('?') ? '&' : '?'}error=${error}${returnTo.slice(hashAt)}`
}

function renderCookie(cookie: string): string {
  return `${cookieName}=${cookie}; ${cookieAttributes}; Max-Age=${attemptLifetimeMs / 1000}`
}

function goOn(location: string, cookie: string): RawAnswer {
  return {
    status: 303,
    headers: { Location: location, 'Set-Cookie': cookie, 'Cache-Control': 'no-store' },
    body: '',
  }
}
