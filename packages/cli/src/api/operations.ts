import type { BodyOf, endpoints, ParamsOf, QueryOf, ResponseOf } from '@signalbox/contract/rest'

type Endpoints = typeof endpoints

/**
 * Lists the endpoints that the command line uses. It repeats their methods and paths, because the endpoint table
 * would load its validators at every start. The type compares each with the table.
 */
export const operations = {
  readHealth: ['GET', '/healthz'],
  readReadiness: ['GET', '/readyz'],
  getServerStatus: ['GET', '/server/status'],
  getOverview: ['GET', '/organizations/{org_id}/overview'],
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
  changeConfig: ['POST', '/organizations/{org_id}/config-changes'],
  promoteConfigValues: ['POST', '/organizations/{org_id}/config-values/promote'],
  importConfig: ['POST', '/organizations/{org_id}/config-imports'],
  listConfigVersions: ['GET', '/organizations/{org_id}/config-versions'],
  getConfigVersion: ['GET', '/organizations/{org_id}/config-versions/{version_id}'],
  listSegments: ['GET', '/organizations/{org_id}/segments'],
  createSegment: ['POST', '/organizations/{org_id}/segments'],
  getSegment: ['GET', '/organizations/{org_id}/segments/{segment}'],
  replaceSegment: ['PUT', '/organizations/{org_id}/segments/{segment}'],
  deleteSegment: ['DELETE', '/organizations/{org_id}/segments/{segment}'],
  getCodehost: ['GET', '/organizations/{org_id}/integrations/codehost'],
  updateCodehost: ['PATCH', '/organizations/{org_id}/integrations/codehost'],
  listChannels: ['GET', '/organizations/{org_id}/integrations/chat/channels'],
  listNotificationRoutes: ['GET', '/organizations/{org_id}/notification-routes'],
  createNotificationRoute: ['POST', '/organizations/{org_id}/notification-routes'],
  updateNotificationRoute: ['PATCH', '/organizations/{org_id}/notification-routes/{route_id}'],
  deleteNotificationRoute: ['DELETE', '/organizations/{org_id}/notification-routes/{route_id}'],
  listOutgoingWebhooks: ['GET', '/organizations/{org_id}/outgoing-webhooks'],
  createOutgoingWebhook: ['POST', '/organizations/{org_id}/outgoing-webhooks'],
  updateOutgoingWebhook: ['PATCH', '/organizations/{org_id}/outgoing-webhooks/{webhook_id}'],
  deleteOutgoingWebhook: ['DELETE', '/organizations/{org_id}/outgoing-webhooks/{webhook_id}'],
  rotateOutgoingWebhook: ['POST', '/organizations/{org_id}/outgoing-webhooks/{webhook_id}/rotate'],
  testOutgoingWebhook: ['POST', '/organizations/{org_id}/outgoing-webhooks/{webhook_id}/test'],
  listOutgoingMessages: ['GET', '/organizations/{org_id}/outgoing-webhooks/{webhook_id}/messages'],
  replayOutgoingMessage: [
    'POST',
    '/organizations/{org_id}/outgoing-webhooks/{webhook_id}/messages/{message_id}/replay',
  ],
  listTargetProviders: ['GET', '/organizations/{org_id}/target-providers'],
  listTargets: ['GET', '/organizations/{org_id}/targets'],
  createTarget: ['POST', '/organizations/{org_id}/targets'],
  getTarget: ['GET', '/organizations/{org_id}/targets/{target_id}'],
  planTarget: ['GET', '/organizations/{org_id}/targets/{target_id}/plan'],
  runTarget: ['POST', '/organizations/{org_id}/targets/{target_id}/runs'],
  exportAuditEvents: ['GET', '/organizations/{org_id}/audit-events/export'],
  updateTarget: ['PATCH', '/organizations/{org_id}/targets/{target_id}'],
  deleteTarget: ['DELETE', '/organizations/{org_id}/targets/{target_id}'],
  listApiKeys: ['GET', '/organizations/{org_id}/api-keys'],
  updateApiKey: ['PATCH', '/organizations/{org_id}/api-keys/{key_id}'],
  listMembers: ['GET', '/organizations/{org_id}/members'],
  getMemberAccess: ['GET', '/organizations/{org_id}/members/{user_id}/access'],
  getKeyAccess: ['GET', '/organizations/{org_id}/api-keys/{key_id}/access'],
  listGroups: ['GET', '/organizations/{org_id}/groups'],
  createGroup: ['POST', '/organizations/{org_id}/groups'],
  updateGroup: ['PATCH', '/organizations/{org_id}/groups/{group_id}'],
  deleteGroup: ['DELETE', '/organizations/{org_id}/groups/{group_id}'],
  listGroupMembers: ['GET', '/organizations/{org_id}/groups/{group_id}/members'],
  addGroupMember: ['PUT', '/organizations/{org_id}/groups/{group_id}/members/{user_id}'],
  removeGroupMember: ['DELETE', '/organizations/{org_id}/groups/{group_id}/members/{user_id}'],
  listGrants: ['GET', '/organizations/{org_id}/grants'],
  createGrant: ['POST', '/organizations/{org_id}/grants'],
  updateGrant: ['PATCH', '/organizations/{org_id}/grants/{grant_id}'],
  deleteGrant: ['DELETE', '/organizations/{org_id}/grants/{grant_id}'],
  listAgentTokens: ['GET', '/organizations/{org_id}/agent-tokens'],
  endAgentToken: ['DELETE', '/organizations/{org_id}/agent-tokens/{agent_token_id}'],
  createChangeRequest: ['POST', '/organizations/{org_id}/change-requests'],
  listChangeRequests: ['GET', '/organizations/{org_id}/change-requests'],
  getChangeRequest: ['GET', '/organizations/{org_id}/change-requests/{request_id}'],
  applyChangeRequest: ['POST', '/organizations/{org_id}/change-requests/{request_id}/apply'],
  scheduleChangeRequest: ['POST', '/organizations/{org_id}/change-requests/{request_id}/schedule'],
  withdrawChangeRequest: ['POST', '/organizations/{org_id}/change-requests/{request_id}/withdraw'],
  createRolloutPlan: ['POST', '/organizations/{org_id}/rollout-plans'],
  listRolloutPlans: ['GET', '/organizations/{org_id}/rollout-plans'],
  getRolloutPlan: ['GET', '/organizations/{org_id}/rollout-plans/{plan_id}'],
  pauseRolloutPlan: ['POST', '/organizations/{org_id}/rollout-plans/{plan_id}/pause'],
  resumeRolloutPlan: ['POST', '/organizations/{org_id}/rollout-plans/{plan_id}/resume'],
  advanceRolloutPlan: ['POST', '/organizations/{org_id}/rollout-plans/{plan_id}/next'],
  returnRolloutPlan: ['POST', '/organizations/{org_id}/rollout-plans/{plan_id}/back'],
  stopRolloutPlan: ['POST', '/organizations/{org_id}/rollout-plans/{plan_id}/stop'],
  restoreRolloutPlan: ['POST', '/organizations/{org_id}/rollout-plans/{plan_id}/restore'],
  listReleaseTemplates: ['GET', '/organizations/{org_id}/release-templates'],
  createReleaseTemplate: ['POST', '/organizations/{org_id}/release-templates'],
  deleteReleaseTemplate: ['DELETE', '/organizations/{org_id}/release-templates/{template_id}'],
  createSignal: ['POST', '/organizations/{org_id}/signals'],
  listSignals: ['GET', '/organizations/{org_id}/signals'],
  updateSignal: ['PATCH', '/organizations/{org_id}/signals/{signal_id}'],
  deleteSignal: ['DELETE', '/organizations/{org_id}/signals/{signal_id}'],
  testSignal: ['POST', '/organizations/{org_id}/signals/{signal_id}/test'],
  listProofs: ['GET', '/organizations/{org_id}/proofs'],
  getProof: ['GET', '/organizations/{org_id}/proofs/{proof_id}'],
  stopProof: ['POST', '/organizations/{org_id}/proofs/{proof_id}/stop'],
  readFlagdDefinition: ['GET', '/organizations/{org_id}/config/flagd'],
  listPreviewRules: ['GET', '/organizations/{org_id}/preview-rules'],
  createPreviewEnvironment: ['POST', '/organizations/{org_id}/preview-environments'],
  listPreviewEnvironments: ['GET', '/organizations/{org_id}/preview-environments'],
  deletePreviewEnvironment: [
    'DELETE',
    '/organizations/{org_id}/preview-environments/{environment_id}',
  ],
  createDeployment: ['POST', '/organizations/{org_id}/deployments'],
  uploadCommitDefinition: ['POST', '/organizations/{org_id}/commit-checks'],
  askGate: ['POST', '/organizations/{org_id}/gate'],
  listGates: ['GET', '/organizations/{org_id}/gates'],
  listGateDecisions: ['GET', '/organizations/{org_id}/gate-decisions'],
  getGateDecision: ['GET', '/organizations/{org_id}/gate-decisions/{decision_id}'],
  listFreezes: ['GET', '/organizations/{org_id}/freezes'],
  freezeEnvironment: ['PUT', '/organizations/{org_id}/environments/{environment_id}/freeze'],
  endFreeze: ['DELETE', '/organizations/{org_id}/environments/{environment_id}/freeze'],
  createTestRun: ['POST', '/organizations/{org_id}/test-runs'],
  uploadTestReport: ['POST', '/organizations/{org_id}/test-runs/{run_id}/report'],
  restoreConfigVersion: ['POST', '/organizations/{org_id}/config-versions/{version_id}/restore'],
} as const satisfies {
  readonly [K in keyof Endpoints]?: readonly [Endpoints[K]['method'], Endpoints[K]['path']]
}

/** Names an operation that the commands use. */
export type OperationName = keyof typeof operations

/** Describes the response of an operation. */
export type Answer<K extends OperationName> = ResponseOf<Endpoints[K]>

/** Describes the request of an operation. */
export interface CallInput<K extends OperationName> {
  readonly params?: ParamsOf<Endpoints[K]>
  readonly query?: Partial<QueryOf<Endpoints[K]>>
  readonly body?: BodyOf<Endpoints[K]>
  /** Holds a file, which replaces a JSON body. */
  readonly upload?: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Holds the version that the caller has read, sent as `If-Match`. */
  readonly ifMatch?: number
  /** Holds the tag of the answer that the caller has. */
  readonly ifNoneMatch?: string | undefined
}

/** Describes a change that people approve before it is applied. */
export type ChangeRequest = Answer<'getChangeRequest'>
/** Describes a rollout in steps. */
export type RolloutPlan = Answer<'getRolloutPlan'>
/** Describes such a change as lists show it. */
export type ChangeRequestSummary = Answer<'listChangeRequests'>['items'][number]
/** Describes a source of good or bad news about changes. */
export type Signal = Answer<'listSignals'>['items'][number]
/** Describes the watch over one version, with its newest readings. */
export type Proof = Answer<'getProof'>
/** Describes such a watch as lists show it. */
export type ProofSummary = Answer<'listProofs'>['items'][number]
/** Describes a member of the organization. */
export type Member = Answer<'listMembers'>['items'][number]
/** Describes a group of members. */
export type Group = Answer<'listGroups'>['items'][number]
/** Describes a role of a member, a group or a server key in some environments and schemas. */
export type Grant = Answer<'listGrants'>['items'][number]
/** Describes the flags of an environment as flagd reads them. */
export type FlagdDefinition = Answer<'readFlagdDefinition'>
/** Describes the test run that an upload became part of. */
export type TestRun = Answer<'uploadTestReport'>
/** Describes an organization that the token reaches. */
export type Organization = Answer<'whoAmI'>['organizations'][number]
/** Describes the owner of a token. */
export type Identity = Answer<'whoAmI'>
/** Describes an environment of the organization. */
export type Environment = Answer<'getEnvironment'>
/** Describes a schema as the server stores it. */
export type ConfigSchema = Answer<'getConfigSchema'>
/** Describes a key of a stored schema, with its constraints. */
export type PresentedKey = ConfigSchema['schema'][string]
/** Describes the values of an environment at one version. */
export type StoredValues = Answer<'getConfigValues'>
/** Describes one stored value, and where it is inherited from. */
export type StoredValue = StoredValues['values'][string]
/** Describes a version of the values of an environment. */
export type ConfigVersion = Answer<'listConfigVersions'>['items'][number]
/** Describes how a version changed one value. */
export type ValueChange = Answer<'getConfigVersion'>['changes'][number]
/** Describes what a schema means for the stored values of each environment. */
export type ConfigReport = Answer<'replaceConfigSchema'>['report']
/** Describes an address that the organization's events are sent to. */
export type OutgoingWebhook = Answer<'listOutgoingWebhooks'>['items'][number]
/** Describes one event on its way to an outgoing webhook. */
export type OutgoingMessage = Answer<'testOutgoingWebhook'>
/** Describes where the values of an environment are written. */
export type Target = Answer<'getTarget'>
/** Describes what the next run of a target does. */
export type TargetPlan = Answer<'planTarget'>
/** Describes an API key, without its secret. */
export type ApiKey = Answer<'updateApiKey'>
/** Describes a token with which an assistant acts for a member. */
export type AgentToken = Answer<'listAgentTokens'>['items'][number]
