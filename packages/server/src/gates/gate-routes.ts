import { gateEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { toCaller, toRestrictedCaller } from '../audit/caller.ts'
import { joinPreconditions } from '../http/admission/preconditions.ts'
import { notFound } from '../http/answers/problem-response.ts'
import type { Router } from '../http/router.ts'
import { askGate } from './ask-gate.ts'
import type { SenderDeps } from '../test-runs/reports/authorize-sender.ts'
import { authorizeAsk } from './authorize-ask.ts'
import type { GateDeps } from './gate-deps.ts'
import { listFreezeRows, pageGateRows } from './gate-rows.ts'
import { findDecisionView } from '../read-models/gates/decision-view-rows.ts'
import { findDecision, listDecisions } from './list-decisions.ts'
import { presentFreeze, presentGate } from './present-gate.ts'
import {
  presentDecision,
  presentDecisionView as present,
} from '../read-models/gates/present-decision.ts'
import { approveDecision, endWait } from './review-decision.ts'
import { createGate, deleteGate, endFreeze, freezeEnvironment, updateGate } from './save-gate.ts'

/** Describes what the endpoints of gates work with. */
export type GateRoutesDeps = GateDeps & SenderDeps

/** Serves the endpoints of gates, of their decisions and of freezes. */
export function mountGates(router: Router, deps: GateRoutesDeps): void {
  const { store } = deps
  router
    .addPage(endpoints.listGates, {
      position: z.string(),
      // A gate names other environments than those of a restricted key.
      list(request, { after = '', limit }) {
        const { orgId, scope } = toCaller(request)
        return store.transaction(scope, (tx) =>
          pageGateRows(tx, orgId, { after, limit: limit + 1 }),
        )
      },
      positionOf: ({ name }) => name,
      present: presentGate,
    })
    .add(endpoints.createGate, {
      handle: (request) => createGate(deps, toCaller(request), request.body),
      present: presentGate,
      versionOf: ({ revision }) => revision,
    })
    .add(endpoints.updateGate, {
      handle(request) {
        const { params, body } = request
        const { revision, ...fields } = body
        const ifMatch = joinPreconditions(request.ifMatch, { revision })
        return updateGate(deps, toCaller(request), { id: params.gate_id, ifMatch, fields })
      },
      present: presentGate,
      versionOf: ({ revision }) => revision,
    })
    .add(endpoints.deleteGate, {
      handle: (request) => deleteGate(deps, toCaller(request), request.params.gate_id),
    })
  mountDecisions(router, deps)
  mountReviews(router, deps)
  mountFreezes(router, deps)
}

function mountDecisions(router: Router, deps: GateRoutesDeps): void {
  router
    .add(endpoints.askGate, {
      async handle(request) {
        const { params, requestId, ip, body } = request
        const authorization = request.header('authorization')
        const sent = { authorization, orgRef: params.org_id, requestId, ip }
        const ask = await request.checkSender((beforeLookup) =>
          authorizeAsk(deps, { ...sent, beforeLookup }, body),
        )
        const id = await askGate(deps, ask)
        const row = await deps.store.transaction(ask.scope, (tx) =>
          findDecisionView(tx, ask.orgId, id),
        )
        if (row === undefined) throw notFound()
        return row
      },
      present: (row) => presentDecision(row),
    })
    .addPage(endpoints.listGateDecisions, {
      position: z.string(),
      list: ({ query, ...request }, { after, limit }) =>
        listDecisions(deps, toRestrictedCaller(request), {
          actor: request.actor,
          filter: {
            state: query.state ?? null,
            environmentId: query.environmentId ?? null,
            repository: query.repository ?? null,
            sha: query.sha ?? null,
            deploymentId: query.deploymentId ?? null,
            below: after ?? null,
            limit: limit + 1,
          },
        }),
      positionOf: ({ row }) => row.id,
      present,
    })
    .add(endpoints.getGateDecision, {
      handle(request) {
        const caller = toRestrictedCaller(request)
        const of = { id: request.params.decision_id, actor: request.actor }
        return deps.store.transaction(caller.scope, (tx) => findDecision(tx, caller, of))
      },
      present,
    })
}

function mountReviews(router: Router, deps: GateRoutesDeps): void {
  router
    .add(endpoints.approveGateDecision, {
      handle: (request) =>
        approveDecision(deps, toRestrictedCaller(request), request.actor, {
          id: request.params.decision_id,
          ...request.body,
        }),
      present,
    })
    .add(endpoints.overrideGateDecision, {
      handle: (request) =>
        endWait(deps, toRestrictedCaller(request), request.actor, {
          id: request.params.decision_id,
          comment: request.body.comment,
          as: 'overridden',
        }),
      present,
    })
    .add(endpoints.refuseGateDecision, {
      handle: (request) =>
        endWait(deps, toRestrictedCaller(request), request.actor, {
          id: request.params.decision_id,
          comment: request.body.comment,
          as: 'refused',
        }),
      present,
    })
}

function mountFreezes(router: Router, deps: GateRoutesDeps): void {
  router
    .add(endpoints.listFreezes, {
      handle: ({ organization, scope }) =>
        deps.store.transaction(scope, (tx) => listFreezeRows(tx, organization.id, deps.now())),
      present: (rows) => ({ items: rows.map(presentFreeze) }),
    })
    .add(endpoints.freezeEnvironment, {
      handle: (request) =>
        freezeEnvironment(deps, toCaller(request), {
          ref: request.params.environment_id,
          until: new Date(request.body.until),
          reason: request.body.reason,
        }),
      present: presentFreeze,
    })
    .add(endpoints.endFreeze, {
      handle: (request) => endFreeze(deps, toCaller(request), request.params.environment_id),
    })
}
