import { changeRequestEndpoints as endpoints, type EndpointShape } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { EndpointRequest } from '../../http/input/endpoint-request.ts'
import type { Router } from '../../http/router.ts'
import { toCaller } from '../to-caller.ts'
import { applyRequest } from './apply-request.ts'
import { acknowledgeRequest, rescheduleRequest, withdrawRequest } from './end-request.ts'
import { getEffects } from './get-effects.ts'
import { listRequests } from './list-requests.ts'
import {
  presentConflict,
  presentEffect,
  presentRequest,
  presentSummary,
  type Viewer,
} from './present-request.ts'
import { readRequest, type WholeRequest } from './read-standing.ts'
import type { RequestDeps } from './request-deps.ts'
import { requireSession, reviewRequest } from './review-request.ts'
import { createRequest, reviseRequest } from './write-request.ts'

type AnyRequest = Parameters<typeof toCaller>[0] & Pick<EndpointRequest<EndpointShape>, 'role'>

function viewerOf(request: AnyRequest): Viewer {
  return { caller: toCaller(request), actor: request.actor, role: request.role }
}

const present = (whole: WholeRequest, request: AnyRequest) =>
  presentRequest(whole, viewerOf(request))

/** Leaves out what keys hold: replayed answers are stored in the clear for a day, and a key may become a secret in that time. */
const presentReplay = (whole: WholeRequest, request: AnyRequest) => ({
  ...present(whole, request),
  operation: { kind: whole.request.kind },
  effects: [],
  conflict: [],
})

const versionOf = ({ request }: WholeRequest) => request.version

/** Serves the endpoints of change requests. */
export function mountRequests(router: Router, deps: RequestDeps): void {
  mountReads(router, deps)
  router
    .add(endpoints.createChangeRequest, {
      handle: ({ body, ...request }) =>
        createRequest(deps, toCaller(request), {
          ...body,
          authorizeReveal: request.authorizeReveal,
        }),
      present,
      presentReplay,
      versionOf,
    })
    .add(endpoints.reviseChangeRequest, {
      handle: ({ body, ...request }) =>
        reviseRequest(deps, toCaller(request), {
          ...body,
          ref: request.params.request_id,
          ifMatch: request.ifMatch,
          authorizeReveal: request.authorizeReveal,
        }),
      present,
      presentReplay,
      versionOf,
    })
    .add(endpoints.reviewChangeRequest, {
      handle: ({ body, ...request }) =>
        reviewRequest(deps, toCaller(request), request.actor, {
          ...body,
          ref: request.params.request_id,
        }),
      present,
      presentReplay,
      versionOf,
    })
  mountMoves(router, deps)
}

function mountReads(router: Router, deps: RequestDeps): void {
  router
    .addPage(endpoints.listChangeRequests, {
      position: z.number().int(),
      list: ({ query, ...request }, { after, limit }) =>
        listRequests(deps, viewerOf(request), { query, before: after, limit }),
      positionOf: ({ request }) => request.number,
      present: presentSummary,
    })
    .add(endpoints.getChangeRequest, {
      handle(request) {
        const caller = toCaller(request)
        const of = { ref: request.params.request_id }
        return deps.store.transaction(caller.scope, (tx) => readRequest(tx, caller, of))
      },
      present,
      versionOf,
    })
    .add(endpoints.getChangeRequestEffects, {
      handle: ({ query, ...request }) =>
        getEffects(deps, toCaller(request), {
          ref: request.params.request_id,
          isNow: query.against === 'now',
        }),
      present({ effects, conflicts, policies }, request) {
        const caller = toCaller(request)
        return {
          effects: effects.map((effect) => presentEffect(effect, caller, { policies })),
          conflicts: conflicts.map((conflict) => presentConflict(conflict, caller)),
        }
      },
    })
}

function mountMoves(router: Router, deps: RequestDeps): void {
  router
    .add(endpoints.applyChangeRequest, {
      handle: (request) =>
        applyRequest(deps, toCaller(request), {
          ref: request.params.request_id,
          ground: { kind: 'approved' },
        }),
      present,
      presentReplay,
      versionOf,
    })
    .add(endpoints.scheduleChangeRequest, {
      handle: ({ body, ...request }) =>
        rescheduleRequest(deps, toCaller(request), { ...ownOf(request), applyAt: body.applyAt }),
      present,
      presentReplay,
      versionOf,
    })
    .add(endpoints.withdrawChangeRequest, {
      handle: (request) => withdrawRequest(deps, toCaller(request), ownOf(request)),
      present,
      presentReplay,
      versionOf,
    })
    .add(endpoints.overrideChangeRequest, {
      handle({ body, ...request }) {
        requireSession(request.actor, 'override approvals')
        const { comment } = body
        return applyRequest(deps, toCaller(request), {
          ref: request.params.request_id,
          ground: { kind: 'override', comment, role: request.role },
        })
      },
      present,
      presentReplay,
      versionOf,
    })
    .add(endpoints.acknowledgeChangeRequest, {
      handle(request) {
        requireSession(request.actor, 'acknowledge this')
        return acknowledgeRequest(deps, toCaller(request), request.params.request_id)
      },
      present,
      presentReplay,
      versionOf,
    })
}

function ownOf({
  params,
  role,
}: Pick<AnyRequest, 'role'> & { readonly params: { readonly request_id: string } }) {
  return { ref: params.request_id, isAdmin: role === 'owner' || role === 'admin' }
}
