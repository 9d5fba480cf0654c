import type { Feature, Kit } from '../kit.ts'
import { mountCodehost, type CodehostRoutesDeps } from './codehost/codehost-routes.ts'
import type { HostDeploymentDeps } from './deployment-deps.ts'
import type { TrackerDeps } from './issues/tracker-deps.ts'
import { mountTracker } from './issues/tracker-routes.ts'
import { rereadQueue, workDeployments } from './jobs.ts'
import type { CreateDeploymentDeps } from './reports/create-deployment.ts'
import { mountDeployments } from './routes.ts'

/** Describes what deployments need: what organizations have connected, how a deployment is shown, and what follows one that moves. */
export type DeploymentPorts = Pick<CodehostRoutesDeps, 'openCodehost' | 'connectorOf'> &
  Pick<TrackerDeps, 'openTracker'> &
  Pick<CreateDeploymentDeps, 'readDeployment'> &
  Pick<HostDeploymentDeps, 'moveTestRuns'>

/** Opens deployments, their commits and issues, and fetching them from the code host. */
export function openDeployments(
  { settings, store, keys, jobs, emit, publicUrl, now }: Kit,
  { openCodehost, openTracker, connectorOf, readDeployment, moveTestRuns }: DeploymentPorts,
): Feature {
  const deps = {
    store,
    keys,
    jobs,
    emit,
    publicUrl,
    openCodehost,
    openTracker,
    connectorOf,
    moveTestRuns,
    deploymentsKeptMs: settings.keptFor.deploymentsMs,
    now,
  }
  return {
    mount(router) {
      mountCodehost(router, deps)
      mountDeployments(router, { ...deps, readDeployment })
      mountTracker(router, {
        ...deps,
        requestReread: (tx, of) => jobs.enqueue(tx, rereadQueue, of, { key: of.id }),
      })
    },
    work: () => workDeployments(jobs, deps),
  }
}
