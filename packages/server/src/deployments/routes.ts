import { toRestrictedCaller } from '../audit/caller.ts'
import { deploymentEndpoints as endpoints } from '@signalbox/contract/rest'
import type { Router } from '../http/router.ts'
import { createDeployment, type CreateDeploymentDeps } from './reports/create-deployment.ts'

/** Mounts the endpoint by which a pipeline reports a deployment. */
export function mountDeployments(router: Router, deps: CreateDeploymentDeps): void {
  router.add(endpoints.createDeployment, {
    handle: (request) => createDeployment(deps, toRestrictedCaller(request), request.body),
    present: (deployment) => deployment,
  })
}
