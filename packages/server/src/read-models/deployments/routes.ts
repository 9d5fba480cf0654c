import { diagnosisEndpoints, deploymentEndpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../../http/router.ts'
import { toEnvironmentCaller } from '../../integrations/environment-caller.ts'
import { diagnoseDeployments, type DiagnosisDeps } from './diagnose-deployments.ts'
import { getDeployment } from './get-deployment.ts'
import { listDeployments } from './list-deployments.ts'
import { presentDeployment, presentDetail } from './present-deployment.ts'

const position = z.object({ createdAt: z.coerce.date(), id: z.string() })

/** Mounts the endpoints that show deployments: the list, one with its timeline, and why there are none. */
export function mountDeploymentViews(router: Router, deps: DiagnosisDeps): void {
  router
    .add(deploymentEndpoints.listDeployments, {
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
    .add(deploymentEndpoints.getDeployment, {
      handle: (request) =>
        getDeployment(deps, toEnvironmentCaller(request), request.params.deployment_id),
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
