import { configEndpoints } from './configs.ts'
import { deadJobEndpoints } from './dead-jobs.ts'
import { deliveryEndpoints } from './delivery.ts'
import { deploymentEndpoints } from './deployments.ts'
import type { EndpointShape } from './endpoint.ts'
import { identityEndpoints } from './identity.ts'
import { integrationEndpoints } from './integrations.ts'
import { ofrepEndpoints } from './ofrep.ts'
import { operationEndpoints } from './operation.ts'
import { providerAppEndpoints } from './provider-apps.ts'

export * from './config-shapes.ts'
export * from './configs.ts'
export * from './dead-jobs.ts'
export * from './delivery.ts'
export * from './deployment-shapes.ts'
export * from './deployments.ts'
export * from './endpoint.ts'
export * from './flag-rule-shapes.ts'
export * from './identity.ts'
export * from './integration-shapes.ts'
export * from './integrations.ts'
export * from './ofrep.ts'
export * from './operation.ts'
export * from './provider-apps.ts'
export * from './shapes.ts'

/** Every endpoint of the service. The OpenAPI document and the tests over all routes read this list. */
export const endpoints = {
  ...operationEndpoints,
  ...identityEndpoints,
  ...configEndpoints,
  ...deliveryEndpoints,
  ...ofrepEndpoints,
  ...integrationEndpoints,
  ...providerAppEndpoints,
  ...deploymentEndpoints,
  ...deadJobEndpoints,
} as const satisfies Record<string, EndpointShape>

export type OperationId = keyof typeof endpoints
