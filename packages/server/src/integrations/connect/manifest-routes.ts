import { Problem } from '@signalbox/contract'
import { providerAppEndpoints as endpoints } from '@signalbox/contract/rest'
import type { UserActor } from '../../http/admission/actor.ts'
import { readCookie } from '../../http/admission/cookies.ts'
import type { RawAnswer } from '../../http/input/endpoint-request.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { requireRecentPassword } from '../../http/admission/recent-password.ts'
import type { Router } from '../../http/router.ts'
import { pageHeaders } from '../../http/answers/security-headers.ts'
import { beginManifest, type ManifestDeps } from './begin-manifest.ts'
import { finishManifest } from './finish-manifest.ts'
import { valueOf } from '../../providers/context.ts'
import { isLoopback } from '../../providers/github/loopback.ts'
import {
  renderManifestPage,
  renderManifestRefusal,
  renderRegisteredPage,
  type ManifestOutcome,
} from './manifest-pages.ts'
import { manifestLifetimeMs } from './manifest-state.ts'

const cookieName = '__Host-manifest'
const cookieAttributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'
const endedCookie = `${cookieName}=; ${cookieAttributes}; Max-Age=0`

/** Mounts registering the GitHub App in one click: for the dashboard, and as a page of its own. */
export function mountManifest(router: Router, deps: ManifestDeps): void {
  router
    .add(endpoints.getGithubManifest, {
      handle: async ({ actor, query }) => {
        // The bootstrap token is no person that a browser could come back as.
        if (actor.type !== 'user') throw notFound()
        return beginManifest(deps, { userId: actor.userId, organization: query.organization })
      },
      present: ({ action, manifest, state }) => ({ action, manifest, state }),
      headers: ({ cookie }) => ({ 'Set-Cookie': renderCookie(cookie) }),
    })
    .addRaw(endpoints.readGithubAppPage, async ({ query, header }) =>
      showPage(deps, header('cookie'), query.organization),
    )
    .addRaw(endpoints.finishGithubManifest, async ({ query, header, ...request }) => {
      const { requestId, ip, userAgent } = request
      const finished = await finishManifest(deps, {
        code: query.code,
        state: query.state,
        cookie: readCookie(header('cookie'), cookieName),
        person: await findPerson(deps, header('cookie')),
        request: { requestId, ip, userAgent },
      })
      if (finished.outcome !== 'registered') return refusePage(finished.outcome)
      return page(200, renderRegisteredPage(finished.slug), { 'Set-Cookie': endedCookie })
    })
}

const accountForm = endpoints.getGithubManifest.query.shape.organization

async function showPage(
  deps: ManifestDeps,
  cookies: string | undefined,
  organizationText: string | undefined,
): Promise<RawAnswer> {
  const person = await findPerson(deps, cookies)
  if (person === undefined) return refusePage('signed_out')
  const { userId } = person
  if (!(await deps.isOperator(userId))) return refusePage('not_operator')
  if (!isRecent(person, deps.now())) return refusePage('step_up_required')
  // What is not the name of an account is left out: the page says whose App it will be.
  const organization = accountForm.safeParse(organizationText).data
  const { action, manifest, cookie } = beginManifest(deps, { userId, organization })
  const body = renderManifestPage({
    action,
    manifest,
    organization,
    isOfSettings: deps.settings['github'] !== undefined,
    isLoopback: isLoopback(deps.publicUrl()),
  })
  const formsTo = new URL(valueOf(deps.contextOf('github').addresses, 'web')).origin
  return page(200, body, { ...pageHeaders({ formsTo }), 'Set-Cookie': renderCookie(cookie) })
}

/** Who is signed in to a browser. What is wrong with the cookie makes no difference. */
async function findPerson(
  { authenticate }: ManifestDeps,
  cookie: string | undefined,
): Promise<UserActor | undefined> {
  try {
    const actor = await authenticate({ authorization: undefined, cookie })
    return actor?.type === 'user' ? actor : undefined
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return undefined
    throw error
  }
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

function renderCookie(cookie: string): string {
  return `${cookieName}=${cookie}; ${cookieAttributes}; Max-Age=${manifestLifetimeMs / 1000}`
}

function refusePage(outcome: ManifestOutcome): RawAnswer {
  return page(statuses[outcome], renderManifestRefusal(outcome))
}

const statuses: Readonly<Record<ManifestOutcome, number>> = {
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
