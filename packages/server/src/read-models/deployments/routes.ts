import { toRestrictedCaller } from '../../audit/caller.ts'
import { diagnosisEndpoints, deploymentEndpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../../http/router.ts'
import { diagnoseDeployments, type DiagnosisDeps } from './diagnose-deployments.ts'
import { getDeployment } from './get-deployment.ts'
import { listDeployments } from './list-deployments.ts'
import { presentDeployment, presentDetail } from './present-deployment.ts'

/** Mounts the endpoints that show deployments: the list, one with its timeline, and why there are none. */
export function mountDeploymentViews(router: Router, deps: DiagnosisDeps): void {
  router
    .addPage(deploymentEndpoints.listDeployments, {
      position: z.object({ createdAt: z.coerce.date(), id: z.string() }),
      list(request, page) {
        const { limit: _limit, cursor: _cursor, from, to, ...filter } = request.query
        const period = { from: toDate(from), to: toDate(to) }
        return listDeployments(deps, toRestrictedCaller(request), {
          filter: { ...filter, ...period },
          ...page,
        })
      },
      positionOf: ({ createdAt, id }) => ({ createdAt, id }),
      present: presentDeployment,
    })
    .add(deploymentEndpoints.getDeployment, {
      handle: (request) =>
        getDeployment(
          deps,
          toRestrictedCaller(request),
          request.params.deployment_id,
          request.actor,
        ),
      present: presentDetail,
    })
    .add(diagnosisEndpoints.diagnoseDeployments, {
      handle: ({ organization, scope }) => diagnoseDeployments(deps, scope, organization.id),
      present: (checks) => ({ checks }),
    })
}

function toDate(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}
