import { dashboardEndpoints, deploymentEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../http/router.ts'
import { toEnvironmentCaller } from '../integrations/environment-caller.ts'
import { createDeployment } from './create-deployment.ts'
import type { DeploymentDeps } from './deployment-deps.ts'
import { diagnoseDeployments, type DiagnosisDeps } from './diagnose-deployments.ts'
import { getDeployment } from './get-deployment.ts'
import { listDeployments } from './list-deployments.ts'
import { presentDeployment, presentDetail } from './present-deployment.ts'
import type { ExplainMessage } from './present-message.ts'

export interface DeploymentRoutesDeps extends DeploymentDeps, DiagnosisDeps {
  /** What people are told of a message that does not arrive: a matter of whoever sends it. */
  readonly explainMessage: ExplainMessage
}

const position = z.object({ createdAt: z.coerce.date(), id: z.string() })

export function mountDeployments(router: Router, deps: DeploymentRoutesDeps): void {
  router
    .add(endpoints.listDeployments, {
      async handle(request) {
        const { limit, cursor, from, to, ...filter } = request.query
        const after = cursor === undefined ? undefined : request.readCursor(position)
        const period = { from: toDate(from), to: toDate(to) }
        const rows = await listDeployments(deps, toEnvironmentCaller(request), {
          filter: { ...filter, ...period },
          after,
          limit,
        })
        const items = rows.slice(0, limit)
        return { items, last: rows.length > limit ? items.at(-1) : undefined }
      },
      present: ({ items, last }, request) => ({
        items: items.map(presentDeployment),
        nextCursor:
          last === undefined
            ? null
            : request.writeCursor({ createdAt: last.createdAt, id: last.id }),
      }),
    })
    .add(endpoints.getDeployment, {
      handle: (request) =>
        getDeployment(deps, toEnvironmentCaller(request), request.params.deployment_id),
      present: (view) => presentDetail(view, deps.explainMessage),
    })
    .add(dashboardEndpoints.diagnoseDeployments, {
      handle: ({ organization, scope }) => diagnoseDeployments(deps, scope, organization.id),
      present: (checks) => ({ checks }),
    })
    .add(endpoints.createDeployment, {
      handle: (request) => createDeployment(deps, toEnvironmentCaller(request), request.body),
      present: presentDeployment,
    })
}

function toDate(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}
