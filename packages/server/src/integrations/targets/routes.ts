import { targetEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import { requireReach, wildcardId, type Caller } from '../../config-model/caller.ts'
import { toCaller } from '../../configs/to-caller.ts'
import type { Router } from '../../http/router.ts'
import { createTarget } from './create-target.ts'
import { deleteTarget, pauseTarget, requestRun, updateTarget } from './change-target.ts'
import { listTargetProviders } from './list-providers.ts'
import { presentName, presentPlan, presentTarget } from './present-target.ts'
import { readPlan } from './read-plan.ts'
import { getTarget, listNames, listTargets } from './read-targets.ts'
import type { TargetDeps } from './target-deps.ts'
import type { ShownTarget } from './target.ts'

/**
 * Returns the caller of a request about targets. A key that is made for some environments or schemas reaches none: a target
 * belongs to the organization.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
function callerOf(request: Parameters<typeof toCaller>[0]): Caller {
  const caller = toCaller(request)
  requireReach(caller, 'readValues', { environmentId: wildcardId, schemaId: wildcardId })
  return caller
}

/** Mounts `/organizations/{org_id}/targets`. */
export function mountTargets(router: Router, deps: TargetDeps): void {
  const present = (target: ShownTarget) => presentTarget(target, deps.now())
  router
    .add(endpoints.listTargetProviders, {
      handle: async (request) => {
        const { scope, orgId } = callerOf(request)
        return listTargetProviders(deps, scope, orgId)
      },
      present: (items) => ({ items }),
    })
    .add(endpoints.createTarget, {
      handle: ({ body, ...request }) => createTarget(deps, callerOf(request), body),
      present,
    })
    .addPage(endpoints.listTargets, {
      position: z.string(),
      list: (request, { after = '', limit }) =>
        listTargets(deps, callerOf(request), { after, limit: limit + 1 }),
      positionOf: ({ id }) => id,
      present,
    })
    .add(endpoints.getTarget, {
      handle: (request) => getTarget(deps, callerOf(request), request.params.target_id),
      present,
    })
    .add(endpoints.planTarget, {
      handle: (request) => readPlan(deps, callerOf(request), request.params.target_id),
      present: presentPlan,
    })
    .addPage(endpoints.listTargetNames, {
      position: z.string(),
      list: (request, { after = '', limit }) =>
        listNames(deps, callerOf(request), {
          id: request.params.target_id,
          after,
          limit: limit + 1,
        }),
      positionOf: ({ slot }) => slot,
      present: presentName,
    })
  mountChanges(router, deps, present)
}

function mountChanges(
  router: Router,
  deps: TargetDeps,
  present: (target: ShownTarget) => ReturnType<typeof presentTarget>,
): void {
  router
    .add(endpoints.updateTarget, {
      handle: ({ body, ...request }) =>
        updateTarget(deps, callerOf(request), request.params.target_id, body),
      present,
    })
    .add(endpoints.pauseTarget, {
      handle: (request) =>
        pauseTarget(deps, callerOf(request), { id: request.params.target_id, isPaused: true }),
      present,
    })
    .add(endpoints.resumeTarget, {
      handle: (request) =>
        pauseTarget(deps, callerOf(request), { id: request.params.target_id, isPaused: false }),
      present,
    })
    .add(endpoints.runTarget, {
      handle: ({ body, ...request }) =>
        requestRun(deps, callerOf(request), { id: request.params.target_id, adopt: body.adopt }),
      present,
    })
    .add(endpoints.deleteTarget, {
      handle: (request) =>
        deleteTarget(deps, callerOf(request), {
          id: request.params.target_id,
          names: request.query.names,
        }),
    })
}
