import { toAuditRequest } from '../../audit/caller.ts'
import { Problem } from '@signalbox/contract'
import { providerAppEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { UserActor } from '../../http/admission/actor.ts'
import { readCookie } from '../../http/admission/cookies.ts'
import { requireRecentPassword } from '../../http/admission/recent-password.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { findPerson } from '../../identity/authenticate.ts'
import { pageHeaders } from '../../http/answers/security-headers.ts'
import type { RawAnswer } from '../../http/input/endpoint-request.ts'
import { validateQuery } from '../../http/input/validate.ts'
import type { Router } from '../../http/router.ts'
import {
  findRegisteringProvider,
  registrationPage,
  type RegisteringProvider,
} from '../../providers/find-provider.ts'
import { providers } from '../../providers/registry.ts'
import { beginRegistration, type RegistrationDeps } from './begin-registration.ts'
import { finishRegistration } from './finish-registration.ts'
import {
  renderBeginPage,
  renderRejectionPage,
  renderRegisteredPage,
  type RegistrationOutcome,
} from './registration-pages.ts'

const cookieName = '__Host-manifest'
const cookieAttributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'
const endedCookie = `${cookieName}=; ${cookieAttributes}; Max-Age=0`

/** Mounts registering an application in one click: for the dashboard, and as a page of its own. */
export function mountRegistration(router: Router, deps: RegistrationDeps): void {
  router
    .add(endpoints.getApplicationManifest, {
      handle: async ({ actor, params, query }) => {
        // The bootstrap token is no person that a browser could come back as.
        if (actor.type !== 'user') throw notFound()
        const registering = requireRegistering(params.provider)
        const { organization } = validateQuery(accountForm(registering), query)
        const { userId } = actor
        const started = beginRegistration(deps, registering, { userId, organization })
        return { ...started, registering }
      },
      present: ({ action, manifest, state }) => ({ action, manifest, state }),
      headers: ({ registering, cookie }) => ({ 'Set-Cookie': renderCookie(registering, cookie) }),
    })
    .addRaw(endpoints.readApplicationPage, async ({ params, query, header }) => {
      const provider = providers.find((each) => registrationPage(each) === `/setup/${params.page}`)
      const registering = requireRegistering(provider?.name ?? '')
      return showPage(deps, registering, {
        cookies: header('cookie'),
        organizationText: query.organization,
      })
    })
    .addRaw(endpoints.finishApplicationManifest, async ({ params, query, header, ...request }) => {
      const registering = requireRegistering(params.provider)
      const person = await findPerson(deps.authenticate, header('cookie'))
      const finished = await finishRegistration(deps, registering, {
        code: query.code,
        state: query.state,
        cookie: readCookie(header('cookie'), cookieName),
        person,
        request: toAuditRequest({ ...request, actor: person }),
      })
      if (finished.outcome !== 'registered') return refusePage(registering, finished.outcome)
      const body = renderRegisteredPage(registering, finished.name)
      return page(200, body, { 'Set-Cookie': endedCookie })
    })
}

/** @throws {Problem} `not_found` where the provider makes no applications by itself */
function requireRegistering(name: string): RegisteringProvider {
  const registering = findRegisteringProvider(name)
  if (registering === undefined) throw notFound()
  return registering
}

function accountForm({ registration }: RegisteringProvider) {
  const { accepts, advice } = registration.account
  return z.object({ organization: z.string().refine(accepts, advice).optional() })
}

async function showPage(
  deps: RegistrationDeps,
  registering: RegisteringProvider,
  of: { readonly cookies: string | undefined; readonly organizationText: string | undefined },
): Promise<RawAnswer> {
  const person = await findPerson(deps.authenticate, of.cookies)
  if (person === undefined) return refusePage(registering, 'signed_out')
  const { userId } = person
  if (!(await deps.isOperator(person))) return refusePage(registering, 'not_operator')
  if (!isRecent(person, deps.now())) return refusePage(registering, 'step_up_required')
  const { provider, registration } = registering
  const { organizationText: entered = '' } = of
  const read = accountForm(registering).safeParse({ organization: entered || undefined })
  const organization = read.data?.organization
  const { action, manifest, cookie } = beginRegistration(deps, registering, {
    userId,
    organization,
  })
  const body = renderBeginPage(registering, {
    action,
    manifest,
    organization,
    entered,
    organizationAdvice: read.success ? undefined : registration.account.advice,
    isReplacement: deps.contextOf(provider.name).application() !== undefined,
    isOfSettings: deps.settings[provider.name] !== undefined,
    notes: registration.notes(deps.publicUrl()),
  })
  const headers = pageHeaders({ formsTo: `'self' ${new URL(action).origin}` })
  return page(200, body, { ...headers, 'Set-Cookie': renderCookie(registering, cookie) })
}

function isRecent(person: UserActor, now: Date): boolean {
  try {
    requireRecentPassword(person, now)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

function renderCookie({ registration }: RegisteringProvider, cookie: string): string {
  return `${cookieName}=${cookie}; ${cookieAttributes}; Max-Age=${registration.lifetimeMs / 1000}`
}

function refusePage(registering: RegisteringProvider, outcome: RegistrationOutcome): RawAnswer {
  return page(statuses[outcome], renderRejectionPage(registering, outcome))
}

const statuses: Readonly<Record<RegistrationOutcome, number>> = {
  signed_out: 401,
  not_operator: 403,
  step_up_required: 403,
  state_invalid: 400,
  state_expired: 400,
  state_used: 400,
  nothing_made: 400,
  conversion_failed: 424,
  provider_unavailable: 424,
}

function page(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): RawAnswer {
  return {
    status,
    headers: { ...pageHeaders(), ...headers, 'Cache-Control': 'no-store' },
    body,
  }
}
