import { mountAudit } from './audit/routes.ts'
import type { ConfigDeps } from './configs/config-deps.ts'
import { mountConfigs } from './configs/routes.ts'
import { mountFailedJobs } from './failed-jobs/routes.ts'
import type { RetryDeps } from './failed-jobs/retry-failed-job.ts'
import { mountDashboard } from './dashboard/routes.ts'
import type { DeliveryHandler } from './delivery/http/handler.ts'
import { mountCodehost, type CodehostRoutesDeps } from './deployments/codehost/codehost-routes.ts'
import { mountDeployments } from './deployments/routes.ts'
import type { TrackerDeps } from './deployments/issues/tracker-deps.ts'
import { mountTracker } from './deployments/issues/tracker-routes.ts'
import { createRouter } from './http/router.ts'
import type { RouterDeps } from './http/serve-endpoint.ts'
import { toNodeListener, type NodeListener } from './http/node-listener.ts'
import { mountIdentity, type IdentityDeps } from './identity/routes.ts'
import { mountInbox, type InboxDeps } from './inbox/routes.ts'
import type { RegistrationDeps } from './integrations/registration/begin-registration.ts'
import { mountRegistration } from './integrations/registration/registration-routes.ts'
import { mountProviderApps } from './integrations/apps/provider-app-routes.ts'
import { mountIntegrations, type IntegrationRoutesDeps } from './integrations/routes.ts'
import { mountLive, type LiveDeps } from './live/routes.ts'
import { mountChat, type ChatRouteDeps } from './notifications/chat/chat-routes.ts'
import { mountNotifications, type NotificationRouteDeps } from './notifications/routes.ts'
import { mountLlms } from './operation/llms.ts'
import { mountPages } from './operation/pages.ts'
import { mountOperation, type OperationDeps } from './operation/routes.ts'
import { mountServerStatus, type ServerStatusDeps } from './operation/server-status.ts'
import type { OverviewDeps } from './overview/get-overview.ts'
import { mountOverview } from './overview/routes.ts'
import { readDeployment } from './read-models/deployments/read-deployment.ts'
import { mountDeploymentViews } from './read-models/deployments/routes.ts'
import { mountIntegrationStatus } from './status-routes.ts'
import { mountTestRuns, type TestRunRoutesDeps } from './test-runs/routes.ts'
import type { WorkflowDeps } from './test-runs/workflows/workflow-deps.ts'
import { mountWorkflows } from './test-runs/workflows/workflow-routes.ts'

export interface AppDeps {
  readonly router: RouterDeps
  readonly operation: OperationDeps
  readonly identity: IdentityDeps
  readonly configs: ConfigDeps
  readonly integrations: IntegrationRoutesDeps
  readonly providerApps: RegistrationDeps
  readonly inbox: InboxDeps
  readonly deployments: CodehostRoutesDeps
  readonly tracker: TrackerDeps
  readonly testRuns: TestRunRoutesDeps & WorkflowDeps
  readonly notifications: NotificationRouteDeps & ChatRouteDeps
  readonly failedJobs: RetryDeps
  readonly live: LiveDeps
  readonly overview: OverviewDeps
  readonly serverStatus: ServerStatusDeps
  /** Answers the delivery's paths at the API's address too. Absent in a process without the delivery role. */
  readonly delivery: DeliveryHandler | undefined
}

/** Everything that answers at the API's address. */
export function createApp(deps: AppDeps): NodeListener {
  const router = createRouter(deps.router)
  mountOperation(router, deps.operation)
  mountPages(router)
  mountDashboard(router)
  mountLlms(router)
  mountIdentity(router, deps.identity)
  mountConfigs(router, deps.configs)
  mountIntegrations(router, deps.integrations)
  mountIntegrationStatus(router, deps.integrations)
  mountProviderApps(router, deps.providerApps)
  mountRegistration(router, deps.providerApps)
  mountInbox(router, deps.inbox)
  mountCodehost(router, deps.deployments)
  mountDeployments(router, { ...deps.deployments, readDeployment })
  mountDeploymentViews(router, deps.deployments)
  mountTracker(router, deps.tracker)
  mountTestRuns(router, deps.testRuns)
  mountWorkflows(router, deps.testRuns)
  mountNotifications(router, deps.notifications)
  mountChat(router, deps.notifications)
  mountFailedJobs(router, deps.failedJobs)
  mountLive(router, deps.live)
  mountOverview(router, deps.overview)
  mountServerStatus(router, deps.serverStatus)
  mountAudit(router, { store: deps.identity.store, now: deps.identity.now })
  const api = toNodeListener(router.build())
  const { delivery } = deps
  return (request, response) => {
    if (delivery?.(request, response) !== true) api(request, response)
  }
}
