import { auditEndpoints } from './audit.ts'
import { configMatrixEndpoints } from './config-matrix.ts'
import { configEndpoints } from './configs.ts'
import { dashboardEndpoints } from './dashboard.ts'
import { deadJobEndpoints } from './dead-jobs.ts'
import { deliveryEndpoints } from './delivery.ts'
import { deploymentEndpoints } from './deployments.ts'
import { deviceEndpoints } from './device.ts'
import type { EndpointShape } from './endpoint.ts'
import { identityEndpoints } from './identity.ts'
import { integrationEndpoints } from './integrations.ts'
import { ofrepEndpoints } from './ofrep.ts'
import { oidcEndpoints } from './oidc.ts'
import { operationEndpoints } from './operation.ts'
import { peopleEndpoints } from './people.ts'
import { providerAppEndpoints } from './provider-apps.ts'

export * from './audit.ts'
export * from './config-matrix.ts'
export * from './config-shapes.ts'
export * from './configs.ts'
export * from './dashboard-shapes.ts'
export * from './dashboard.ts'
export * from './dead-jobs.ts'
export * from './delivery.ts'
export * from './deployment-shapes.ts'
export * from './deployments.ts'
export * from './device.ts'
export * from './endpoint.ts'
export * from './flag-rule-shapes.ts'
export * from './identity.ts'
export * from './integration-shapes.ts'
export * from './integrations.ts'
export * from './ofrep.ts'
export * from './oidc.ts'
export * from './operation.ts'
export * from './people.ts'
export * from './provider-apps.ts'
export * from './shapes.ts'

/** Every endpoint of the service. The OpenAPI document and the tests over all routes read this list. */
export const endpoints = {
  ...operationEndpoints,
  ...identityEndpoints,
  ...auditEndpoints,
  ...peopleEndpoints,
  ...oidcEndpoints,
  ...deviceEndpoints,
  ...configEndpoints,
  ...configMatrixEndpoints,
  ...deliveryEndpoints,
  ...ofrepEndpoints,
  ...integrationEndpoints,
  ...providerAppEndpoints,
  ...deploymentEndpoints,
  ...deadJobEndpoints,
  ...dashboardEndpoints,
} as const satisfies Record<string, EndpointShape>

export type OperationId = keyof typeof endpoints
