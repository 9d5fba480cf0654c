import { environmentEndpoints as endpoints, type EndpointShape } from '@signalbox/contract/rest'
import { z } from 'zod'
import { requireRecentPassword } from '../../http/admission/recent-password.ts'
import type { EndpointRequest } from '../../http/input/endpoint-request.ts'
import type { Router } from '../../http/router.ts'
import { authorizeExposure } from '../values/authorize-exposure.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { toConfirmation } from '../../config-model/confirmation.ts'
import { createEnvironment } from './create-environment.ts'
import { deleteEnvironment } from './delete-environment.ts'
import type { EnvironmentRow } from './environment-rows.ts'
import { presentEnvironment } from './present-environment.ts'
import { getEnvironment, listEnvironments } from './list-environments.ts'
import { toCaller } from '../to-caller.ts'
import { updateEnvironment } from './update-environment.ts'

/** Returns the tag that `If-Match` of the next write is compared with. */
function revisionTag({ revision }: EnvironmentRow): Readonly<Record<string, string>> {
  return { ETag: `"${revision}"` }
}

/** Returns what an owner who is signed in has to do for what owners alone may decide. */
function authorizeOwnerOf(
  { now }: ConfigDeps,
  { actor, role }: Pick<EndpointRequest<EndpointShape>, 'actor' | 'role'>,
): (() => void) | undefined {
  if (role !== 'owner' || actor.type !== 'user' || actor.via !== 'session') return undefined
  return () => requireRecentPassword(actor, now())
}

/** Serves the endpoints of environments. */
export function mountEnvironments(router: Router, deps: ConfigDeps): void {
  router
    .add(endpoints.createEnvironment, {
      handle: (request) => createEnvironment(deps, toCaller(request), request.body),
      present: presentEnvironment,
      headers: revisionTag,
    })
    .addPage(endpoints.listEnvironments, {
      position: z.string(),
      list: (request, page) => listEnvironments(deps, toCaller(request), page),
      positionOf: ({ id }) => id,
      present: presentEnvironment,
    })
    .add(endpoints.getEnvironment, {
      handle: (request) => getEnvironment(deps, toCaller(request), request.params.environment_id),
      present: presentEnvironment,
      headers: revisionTag,
    })
    .add(endpoints.updateEnvironment, {
      handle(request) {
        const caller = toCaller(request)
        return updateEnvironment(deps, caller, request.params.environment_id, {
          ...request.body,
          readOnly: request.readOnly,
          confirmation: toConfirmation(request.body),
          ifMatch: request.ifMatch,
          authorizeSecrets: () => authorizeExposure(request, caller),
          authorizeOwner: authorizeOwnerOf(deps, request),
        })
      },
      present: presentEnvironment,
      headers: revisionTag,
    })
    .add(endpoints.deleteEnvironment, {
      handle: (request) =>
        deleteEnvironment(deps, toCaller(request), request.params.environment_id, {
          force: request.query.force,
          confirmation: toConfirmation(request.query, 'query'),
          ifMatch: request.ifMatch,
        }),
    })
}
