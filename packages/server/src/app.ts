import { mountAudit } from './audit/routes.ts'
import type { ConfigDeps } from './configs/config-deps.ts'
import { mountConfigs } from './configs/routes.ts'
import type { DeliveryHandler } from './delivery/handler.ts'
import { mountDeployments } from './deployments/routes.ts'
import type { DeploymentDeps } from './deployments/deployment-deps.ts'
import { createRouter, type RouterDeps } from './http/router.ts'
import { toNodeListener, type NodeListener } from './http/http-server.ts'
import { mountIdentity, type IdentityDeps } from './identity/routes.ts'
import { mountInbox, type InboxDeps } from './inbox/routes.ts'
import { mountIntegrations, type IntegrationRoutesDeps } from './integrations/routes.ts'
import { mountPages } from './operation/pages.ts'
import { mountOperation, type OperationDeps } from './operation/routes.ts'

export interface AppDeps {
  readonly router: RouterDeps
  readonly operation: OperationDeps
  readonly identity: IdentityDeps
  readonly configs: ConfigDeps
  readonly integrations: IntegrationRoutesDeps
  readonly inbox: InboxDeps
  readonly deployments: DeploymentDeps
  /** Answers the delivery's paths at the API's address too. Absent in a process without the delivery role. */
  readonly delivery: DeliveryHandler | undefined
}

/** Everything that answers at the API's address. */
export function createApp(deps: AppDeps): NodeListener {
  const router = createRouter(deps.router)
  mountOperation(router, deps.operation)
  mountPages(router)
  mountIdentity(router, deps.identity)
  mountConfigs(router, deps.configs)
  mountIntegrations(router, deps.integrations)
  mountInbox(router, deps.inbox)
  mountDeployments(router, deps.deployments)
  mountAudit(router, { store: deps.identity.store })
  const api = toNodeListener(router.build(), deps.router.now)
  const { delivery } = deps
  if (delivery === undefined) return api
  return (request, response) => {
    if (!delivery(request, response)) api(request, response)
  }
}
