import { toAuditRequest, toCaller } from '../audit/caller.ts'
import { integrationEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { readCookie } from '../http/admission/cookies.ts'
import type { RawAnswer } from '../http/input/endpoint-request.ts'
import { notFound } from '../http/answers/problem-response.ts'
import { validateQuery } from '../http/input/validate.ts'
import { providers } from '../providers/registry.ts'
import type { Router } from '../http/router.ts'
import { pageHeaders } from '../http/answers/security-headers.ts'
import { authorizeIntegration } from './connect/authorize-integration.ts'
import { connectByForm } from './connect/connect-by-form.ts'
import { renderCallbackPage } from './connect/callback-page.ts'
import { disconnectIntegration } from './connect/disconnect-integration.ts'
import {
  finishAuthorization,
  nameOfReturn,
  type FinishDeps,
  type ReturningMember,
} from './connect/finish-authorization.ts'
import { integrationPage } from './integration-page.ts'
import { presentIntegration } from './present-integration.ts'

/** Lists what the routes of connecting need. */
export interface IntegrationRoutesDeps extends FinishDeps {
  /** Finds the person who is signed in to the browser that came back; `undefined` without one. */
  readonly findMember: (cookie: string | undefined) => Promise<ReturningMember | undefined>
}

/** The browser that begins a connection keeps half of what ends it. */
const cookieName = '__Host-connect'
const cookieAttributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'
const cookieSeconds = 600

/** Mounts connecting and disconnecting. */
export function mountIntegrations(router: Router, deps: IntegrationRoutesDeps): void {
  router
    .add(endpoints.authorizeIntegration, {
      handle: (request) => {
        const { actor, params, query } = request
        // The bootstrap token is no person that a browser could come back as.
        if (actor.type !== 'user') throw notFound()
        const { userId } = actor
        const { provider, level, returnTo } = query
        return authorizeIntegration(deps, toCaller(request), {
          kind: params.kind,
          provider,
          level,
          userId,
          returnTo,
        })
      },
      present: ({ url }) => ({ url }),
      headers: ({ cookie }) => ({
        'Set-Cookie': `${cookieName}=${cookie}; ${cookieAttributes}; Max-Age=${cookieSeconds}`,
      }),
    })
    .addRaw(endpoints.finishAuthorization, async (request) => {
      const { params, query, header } = request
      const { kind } = params
      validateQuery(returnQuery, query)
      const finished = await finishAuthorization(deps, {
        kind,
        query,
        cookie: readCookie(header('cookie'), cookieName),
        member: await deps.findMember(header('cookie')),
        request: toAuditRequest(request),
      })
      return finished.outcome === 'connected'
        ? goOn(finished.returnTo ?? integrationPage(finished.kind))
        : page(
            renderCallbackPage(finished.outcome, finished.kind ?? kind, nameOfReturn(kind, query)),
          )
    })
    .add(endpoints.connectIntegration, {
      handle: (request) => {
        const { actor, params, body } = request
        const isPerson = actor.type === 'user' && actor.via === 'session'
        const person = isPerson
          ? { userId: actor.userId, sessionId: actor.credentialId }
          : undefined
        return connectByForm(deps, toCaller(request), { kind: params.kind, ...body, person })
      },
      present: (integrations, { params: { kind } }) => {
        const integration = integrations.find((each) => each.kind === kind)
        return presentIntegration(kind, integration, deps.connectorOf, integrations)
      },
    })
    .add(endpoints.disconnectIntegration, {
      handle: (request) =>
        disconnectIntegration(deps, toCaller(request), {
          kind: request.params.kind,
        }),
    })
}

const returnQuery = z.looseObject(
  Object.fromEntries(
    providers
      .flatMap(({ returns }) => Object.entries(returns?.fields ?? {}))
      .map(([name, max]) => [name, z.string().max(max).optional()]),
  ),
)

/** Deletes the cookie of the authorization, whatever its outcome. */
const endedCookie = `${cookieName}=; ${cookieAttributes}; Max-Age=0`

function goOn(path: string): RawAnswer {
  return {
    status: 303,
    headers: { Location: path, 'Set-Cookie': endedCookie, 'Cache-Control': 'no-store' },
    body: '',
  }
}

function page(body: string): RawAnswer {
  return {
    status: 400,
    headers: { ...pageHeaders(), 'Set-Cookie': endedCookie, 'Cache-Control': 'no-store' },
    body,
  }
}
