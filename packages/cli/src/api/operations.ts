import type { BodyOf, endpoints, ParamsOf, QueryOf, ResponseOf } from '@signalbox/contract/rest'

type Endpoints = typeof endpoints

/**
 * The endpoints the command line uses. Methods and paths are repeated so that the validators of the
 * endpoint table are not loaded at every start; the type compares each with the table.
 */
export const operations = {
  readHealth: ['GET', '/healthz'],
  readReadiness: ['GET', '/readyz'],
  whoAmI: ['GET', '/me'],
  authorizeDevice: ['POST', '/oauth/device_authorization'],
  exchangeToken: ['POST', '/oauth/token'],
  createEnvironment: ['POST', '/organizations/{org_id}/environments'],
  listEnvironments: ['GET', '/organizations/{org_id}/environments'],
  getEnvironment: ['GET', '/organizations/{org_id}/environments/{environment_id}'],
  updateEnvironment: ['PATCH', '/organizations/{org_id}/environments/{environment_id}'],
  deleteEnvironment: ['DELETE', '/organizations/{org_id}/environments/{environment_id}'],
  createConfigSchema: ['POST', '/organizations/{org_id}/config-schemas'],
  listConfigSchemas: ['GET', '/organizations/{org_id}/config-schemas'],
  getConfigSchema: ['GET', '/organizations/{org_id}/config-schemas/{schema_id}'],
  replaceConfigSchema: ['PUT', '/organizations/{org_id}/config-schemas/{schema_id}'],
  setConfigValues: ['PUT', '/organizations/{org_id}/config-values'],
  getConfigValues: ['GET', '/organizations/{org_id}/config-values'],
  deleteConfigValues: ['DELETE', '/organizations/{org_id}/config-values'],
  promoteConfigValues: ['POST', '/organizations/{org_id}/config-values/promote'],
  listConfigVersions: ['GET', '/organizations/{org_id}/config-versions'],
  getConfigVersion: ['GET', '/organizations/{org_id}/config-versions/{version_id}'],
  createTestRun: ['POST', '/organizations/{org_id}/test-runs'],
  uploadTestReport: ['POST', '/organizations/{org_id}/test-runs/{run_id}/report'],
  restoreConfigVersion: ['POST', '/organizations/{org_id}/config-versions/{version_id}/restore'],
} as const satisfies {
  readonly [K in keyof Endpoints]?: readonly [Endpoints[K]['method'], Endpoints[K]['path']]
}

export type OperationName = keyof typeof operations

export type Answer<K extends OperationName> = ResponseOf<Endpoints[K]>

export interface CallInput<K extends OperationName> {
  readonly params?: ParamsOf<Endpoints[K]>
  readonly query?: Partial<QueryOf<Endpoints[K]>>
  readonly body?: BodyOf<Endpoints[K]>
  /** A file in the place of a JSON body. */
  readonly upload?: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The version the caller has seen; sent as `If-Match`. */
  readonly ifMatch?: number
}

export type TestRun = Answer<'uploadTestReport'>
export type Organization = Answer<'whoAmI'>['organizations'][number]
export type Identity = Answer<'whoAmI'>
export type Environment = Answer<'getEnvironment'>
export type ConfigSchema = Answer<'getConfigSchema'>
export type ShownKey = ConfigSchema['schema'][string]
export type StoredValues = Answer<'getConfigValues'>
export type StoredValue = StoredValues['values'][string]
export type ConfigVersion = Answer<'listConfigVersions'>['items'][number]
export type ValueChange = Answer<'getConfigVersion'>['changes'][number]
export type ConfigReport = Answer<'replaceConfigSchema'>['report']
