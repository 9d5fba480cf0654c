import { endpoints, type EndpointShape, type OperationId } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Ask } from './http.ts'
import type { TargetKind, Target } from './named-ids.ts'
import { changeRecipes } from './change-request-recipes.ts'
import { gateRecipes } from './gate-recipes.ts'
import { targetDefinition } from './target.ts'

/** A request before it is put together, so that one part of it can be exchanged. */
export interface Draft {
  readonly operationId: OperationId
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>> | undefined
}

/** Names the kind of id at a position. */
type IdKind = TargetKind | 'cursor'

/** A place of a request that names something of an organization. */
export interface Position {
  readonly part: 'params' | 'query' | 'body'
  /** With the way to it. Example: `environmentMap.0.environmentId`. */
  readonly name: string
  readonly kind: IdKind
}

/** Returns the members of a valid request about a target. */
export type Recipe = (target: Target) => {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

const pair = ({ sch, env }: Target) => ({ schemaId: sch, environmentId: env })
const names = ({ envName, schName }: Target) => ({ environment: envName, schema: schName })

const evaluationOf =
  (key: string): Recipe =>
  (target) => ({
    params: { key },
    query: { schema: target.schName },
    body: { environment: target.envName },
  })

/** Names an assistant whose host does not exist. */
const agentRequest = {
  clientId: 'https://assistant.invalid/client.json',
  redirectUri: 'http://localhost:1/callback',
}

/** Of the pretended Slack. */
const channelId = 'C0DEPLOYS1'
const route = { name: 'made', channelId, events: ['deployment'] }

/** Describes the groups of a segment. */
const anyOf = [{ when: [{ attribute: 'plan', operator: 'equals', value: 'made' }] }]

/** As a runner writes it. */
const report = {
  reportFormat: 'CTRF',
  specVersion: '0.0.0',
  results: {
    tool: { name: 'made' },
    summary: {
      tests: 1,
      passed: 1,
      failed: 0,
      pending: 0,
      skipped: 0,
      other: 0,
      start: 0,
      stop: 1,
    },
    tests: [{ name: 'made', status: 'passed', duration: 1 }],
  },
}

/** Requires nothing that the persons and keys of the tests lack. */
const policies = {
  secondFactorRequired: false,
  tokenDays: null,
  sessionIdleMinutes: null,
  assistants: { rule: 'any', hosts: ['made.example'], ownTokens: true },
}

/** Evaluates for a user, whom a rollout of the flag divides by. */
const forUser = { context: { targetingKey: 'user-1' } }

/** Maps each endpoint to the members of a valid request, besides the ids in its path. */
const recipes: Partial<Record<OperationId, Recipe>> = {
  completeSetup: () => ({
    body: {
      token: 'guessed',
      name: 'Somebody',
      email: 'somebody@example.com',
      password: 'correct horse battery staple',
      organizationName: 'Somewhere',
    },
  }),
  signIn: () => ({ body: { email: 'somebody@example.com', password: 'guessed' } }),
  confirmSession: () => ({ body: { password: 'guessed' } }),
  signOut: () => ({}),
  exchangeToken: () => ({ body: { grant_type: 'client_credentials' } }),
  authorizeDevice: () => ({ body: { client_id: 'guessed' } }),
  claimDevice: () => ({ body: { userCode: 'BBBB-BBBB' } }),
  approveDevice: () => ({ body: { userCode: 'BBBB-BBBB' } }),
  denyDevice: () => ({ body: { userCode: 'BBBB-BBBB' } }),
  beginOidcSignIn: () => ({}),
  finishOidcSignIn: () => ({ query: { code: 'guessed', state: 'guessed' } }),
  getOidcLink: () => ({}),
  beginOidcLink: () => ({ body: {} }),
  deleteOidcLink: () => ({}),
  beginOidcConfirm: () => ({ body: {} }),
  createPersonalAccessToken: () => ({ body: { name: 'made' } }),
  createOrganization: () => ({ body: { name: 'Made' } }),
  saveProviderApp: () => ({
    params: { provider: 'jira' },
    body: { provider: 'jira', clientId: 'made', clientSecret: 'made-up-and-long-enough' },
  }),
  deleteProviderApp: () => ({ params: { provider: 'jira' } }),
  listProviderApps: () => ({}),
  getApplicationManifest: () => ({ params: { provider: 'github' } }),
  finishApplicationManifest: () => ({
    params: { provider: 'github' },
    query: { code: 'guessed', state: 'guessed' },
  }),
  readApplicationPage: () => ({ params: { page: 'github-app' } }),
  endPreviousSecret: () => ({ params: { provider: 'github' } }),
  listIntegrations: () => ({}),
  authorizeIntegration: () => ({ params: { kind: 'chat' } }),
  finishAuthorization: () => ({
    params: { kind: 'chat' },
    query: { code: 'guessed', state: 'guessed' },
  }),
  connectIntegration: () => ({
    params: { kind: 'chat' },
    body: { provider: 'slack', values: { token: 'guessed' } },
  }),
  disconnectIntegration: () => ({ params: { kind: 'chat' } }),
  getCodehost: () => ({}),
  setKeyWorkflows: () => ({ body: { keyWorkflows: [] } }),
  updateCodehost: ({ env }) => ({
    body: {
      environmentMap: [{ pattern: 'prod*', environmentId: env }],
      testWorkflows: [{ workflowId: 'e2e.yml', environmentIds: [env] }],
    },
  }),
  startSync: () => ({}),
  getSync: () => ({}),
  listWorkflows: () => ({}),
  listDispatches: ({ cursors }) => ({ query: { cursor: cursors['listDispatches'] ?? '' } }),
  getDispatch: () => ({}),
  dispatchWorkflow: ({ dep }) => ({
    params: { workflow_id: 'e2e.yml' },
    body: { ref: 'main', deploymentId: dep },
  }),
  getTracker: () => ({}),
  startTrackerSync: () => ({}),
  getTrackerSync: () => ({}),
  updateTracker: () => ({ body: { projectKeys: ['ABC'] } }),
  listTrackerProjects: () => ({}),
  enrichDeployment: ({ dep }) => ({ body: { commitMessages: ['ABC-1 Fix'], deploymentId: dep } }),
  getChat: () => ({}),
  updateChat: () => ({ body: { defaultChannelId: channelId } }),
  listChannels: () => ({}),
  sendTestNotification: () => ({}),
  receiveWebhook: () => ({ params: { kind: 'codehost' }, body: {} }),
  receiveConnectionWebhook: () => ({
    params: { provider: 'github', connection: 'int_1' },
    body: {},
  }),
  listWebhookDeliveries: ({ cursors }) => ({
    query: { cursor: cursors['listWebhookDeliveries'] ?? '' },
  }),
  getWebhookDelivery: () => ({}),
  replayWebhookDelivery: () => ({}),
  replayWebhookDeliveries: () => ({ body: { state: 'failed' } }),
  sendNotificationAgain: () => ({}),
  settleNotification: () => ({ body: { isThere: true } }),
  streamEvents: () => ({}),
  getOverview: () => ({}),
  getDeploymentSeries: ({ env }) => ({ query: { environmentId: env } }),
  getTestRunSeries: ({ env }) => ({ query: { environmentId: env } }),
  getDeliveryFigures: ({ env }) => ({ query: { environmentId: env } }),
  listChanges: ({ env, cursors }) => ({
    query: { environmentId: env, cursor: cursors['listChanges'] ?? '' },
  }),
  searchOrganization: () => ({ query: { query: 'main' } }),
  diagnoseDeployments: () => ({}),
  verifyAuditChain: () => ({}),
  exportAuditEvents: () => ({}),
  listFailedJobs: ({ cursors }) => ({ query: { cursor: cursors['listFailedJobs'] ?? '' } }),
  retryFailedJob: () => ({}),
  listServerFailedJobs: () => ({}),
  retryServerFailedJob: () => ({}),
  listDeployments: ({ env, cursors }) => ({
    query: { environmentId: env, cursor: cursors['listDeployments'] ?? '' },
  }),
  getDeployment: () => ({}),
  createDeployment: ({ envName, slug }) => ({
    body: {
      repository: `${slug}/shop`,
      sha: 'a'.repeat(40),
      ref: 'main',
      environment: envName,
      state: 'in_progress',
    },
  }),
  createTestRun: ({ dep }) => ({ body: { name: 'made', deploymentId: dep } }),
  listTestRuns: ({ dep, env, cursors }) => ({
    query: { deploymentId: dep, environmentId: env, cursor: cursors['listTestRuns'] ?? '' },
  }),
  getTestRun: () => ({}),
  updateTestRun: () => ({ body: { state: 'running' } }),
  uploadTestReport: () => ({ body: report }),
  createNotificationRoute: ({ env }) => ({
    body: { ...route, match: { environmentIds: [env], repositories: ['acme/*'] } },
  }),
  listNotificationRoutes: ({ cursors }) => ({
    query: { cursor: cursors['listNotificationRoutes'] ?? '' },
  }),
  getNotificationRoute: () => ({}),
  updateNotificationRoute: ({ env }) => ({
    body: { match: { environmentIds: [env], repositories: ['acme/*'] } },
  }),
  deleteNotificationRoute: () => ({}),
  receiveAlert: () => ({ body: { status: 'resolved' } }),
  createOutgoingWebhook: () => ({
    body: {
      name: 'made',
      url: 'https://hooks.invalid/made',
      events: ['config.changed'],
      enabled: false,
    },
  }),
  listOutgoingWebhooks: ({ cursors }) => ({
    query: { cursor: cursors['listOutgoingWebhooks'] ?? '' },
  }),
  getOutgoingWebhook: () => ({}),
  updateOutgoingWebhook: () => ({ body: { name: 'renamed' } }),
  rotateOutgoingWebhook: () => ({ body: { overlapSeconds: 60 } }),
  pauseOutgoingWebhook: () => ({}),
  deleteOutgoingWebhook: () => ({}),
  testOutgoingWebhook: () => ({}),
  listOutgoingMessages: ({ cursors }) => ({
    query: { cursor: cursors['listOutgoingMessages'] ?? '' },
  }),
  replayOutgoingMessage: () => ({}),
  listTargetProviders: () => ({}),
  createTarget: (target) => ({
    body: {
      ...pair(target),
      name: 'made',
      provider: 'github',
      destination: { repository: 'acme/shop' },
      tiers: ['public'],
    },
  }),
  listTargets: ({ cursors }) => ({ query: { cursor: cursors['listTargets'] ?? '' } }),
  getTarget: () => ({}),
  updateTarget: () => ({ body: { name: 'renamed' } }),
  pauseTarget: () => ({}),
  resumeTarget: () => ({}),
  deleteTarget: () => ({ query: { names: 'keep' } }),
  planTarget: () => ({}),
  runTarget: () => ({ body: { adopt: [] } }),
  listTargetNames: ({ cursors }) => ({ query: { cursor: cursors['listTargetNames'] ?? '' } }),
  previewNotificationRoute: ({ env }) => ({
    body: { match: { environmentIds: [env], repositories: ['acme/*'] } },
  }),
  listPersonalAccessTokens: ({ cursors }) => ({
    query: { cursor: cursors['listPersonalAccessTokens'] ?? '' },
  }),
  createAgentToken: () => ({ body: { name: 'made' } }),
  endAgentToken: () => ({}),
  listAgentTokens: ({ cursors }) => ({ query: { cursor: cursors['listAgentTokens'] ?? '' } }),
  beginAgentAuthorization: () => ({ query: { client_id: agentRequest.clientId } }),
  reviewAgent: () => ({ body: agentRequest }),
  refuseAgent: () => ({ body: { request: agentRequest } }),
  allowAgent: () => ({ body: { request: agentRequest, scope: 'read' } }),
  // Without its client, because a token that is unknown is answered as one that was revoked.
  revokeAgent: () => ({ body: { token: 'guessed' } }),
  callTools: () => ({
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'overview' } },
  }),
  listMembers: ({ cursors }) => ({ query: { cursor: cursors['listMembers'] ?? '' } }),
  updateMember: () => ({ body: { role: 'developer' } }),
  listMadeByMember: ({ key }) => ({ query: { token: key } }),
  removeMember: () => ({}),
  createInvitation: () => ({ body: { email: 'invited@example.com', role: 'viewer' } }),
  listInvitations: ({ cursors }) => ({ query: { cursor: cursors['listInvitations'] ?? '' } }),
  revokeInvitation: () => ({}),
  listEmailDomains: () => ({}),
  addEmailDomain: () => ({ body: { domain: 'added.example' } }),
  checkEmailDomain: ({ domain }) => ({ params: { domain } }),
  removeEmailDomain: ({ domain }) => ({ params: { domain } }),
  listScimTokens: () => ({}),
  createScimToken: () => ({ body: { name: 'made' } }),
  revokeScimToken: () => ({}),
  listSignInProviders: () => ({}),
  createSignInProvider: () => ({
    body: {
      name: 'made',
      issuer: 'https://id.example.com',
      clientId: 'made',
      clientSecret: 'made',
    },
  }),
  updateSignInProvider: () => ({ body: { name: 'Renamed' } }),
  removeSignInProvider: () => ({}),
  beginProviderSignIn: () => ({ body: { email: 'somebody@nowhere.example' } }),
  finishProviderSignIn: ({ org }) => ({
    params: { organization_id: org },
    query: { code: 'guessed', state: 'guessed' },
  }),
  logoutByProvider: ({ org }) => ({ params: { organization_id: org } }),
  getScimConfig: () => ({}),
  listScimSchemas: () => ({}),
  getScimSchema: () => ({ params: { schema: 'urn:ietf:params:scim:schemas:core:2.0:User' } }),
  listScimResourceTypes: () => ({}),
  getScimResourceType: () => ({ params: { resource_type: 'User' } }),
  listScimUsers: () => ({}),
  createScimUser: ({ domain }) => ({ body: { userName: `made@${domain}` } }),
  getScimUser: () => ({}),
  replaceScimUser: ({ domain }) => ({ body: { userName: `made@${domain}` } }),
  patchScimUser: () => ({
    body: { Operations: [{ op: 'replace', path: 'active', value: false }] },
  }),
  deleteScimUser: () => ({}),
  listScimGroups: () => ({}),
  createScimGroup: () => ({ body: { displayName: 'made' } }),
  getScimGroup: () => ({}),
  replaceScimGroup: () => ({ body: { displayName: 'made' } }),
  patchScimGroup: () => ({ body: { Operations: [] } }),
  deleteScimGroup: () => ({}),
  previewInvitation: () => ({ body: { token: 'guessed' } }),
  acceptInvitation: () => ({ body: { token: 'guessed' } }),
  registerInvited: () => ({
    body: { token: 'guessed', name: 'Somebody', password: 'correct horse battery staple' },
  }),
  listSessions: () => ({}),
  endSession: () => ({ params: { session_id: `session_${'0'.repeat(32)}` } }),
  endOtherSessions: () => ({}),
  updateMe: () => ({ body: { name: 'Renamed' } }),
  // A wrong password is written down, whoever typed it.
  changePassword: () => ({
    body: { currentPassword: 'guessed', newPassword: 'correct horse battery staple' },
  }),
  beginSecondFactor: () => ({}),
  confirmSecondFactor: () => ({ body: { code: '000000' } }),
  removeSecondFactor: () => ({}),
  listOrganizations: () => ({}),
  getOrganization: () => ({}),
  updateOrganization: () => ({ body: { name: 'Renamed' } }),
  deleteOrganization: () => ({}),
  createGroup: () => ({ body: { name: 'made' } }),
  listGroups: ({ cursors }) => ({ query: { cursor: cursors['listGroups'] ?? '' } }),
  getGroup: () => ({}),
  updateGroup: () => ({ body: { name: 'Renamed' } }),
  deleteGroup: () => ({}),
  listGroupMembers: ({ cursors }) => ({ query: { cursor: cursors['listGroupMembers'] ?? '' } }),
  addGroupMember: () => ({}),
  removeGroupMember: () => ({}),
  createGrant: ({ grp, env, sch }) => ({
    body: { groupId: grp, role: 'editor', environmentIds: [env], schemaIds: [sch] },
  }),
  listGrants: ({ cursors }) => ({ query: { cursor: cursors['listGrants'] ?? '' } }),
  updateGrant: ({ env, sch }) => ({
    body: { role: 'reader', environmentIds: [env], schemaIds: [sch] },
  }),
  deleteGrant: () => ({}),
  getMemberAccess: ({ env, sch }) => ({ query: { environmentId: env, schemaId: sch } }),
  getKeyAccess: ({ env, sch }) => ({ query: { environmentId: env, schemaId: sch } }),
  getPolicies: () => ({}),
  updatePolicies: () => ({ body: policies }),
  endMemberSessions: () => ({}),
  createApiKey: ({ env, sch }) => ({
    body: { name: 'made', kind: 'm2m', environmentIds: [env], schemaIds: [sch] },
  }),
  listApiKeys: ({ cursors }) => ({ query: { cursor: cursors['listApiKeys'] ?? '' } }),
  getApiKey: () => ({}),
  listSecretReads: () => ({}),
  updateApiKey: ({ env, sch }) => ({
    body: { name: 'renamed', environmentIds: [env], schemaIds: [sch] },
  }),
  rotateApiKey: () => ({ body: { overlapSeconds: 60 } }),
  pauseApiKey: () => ({}),
  revokeApiKey: () => ({}),
  listAuditEvents: ({ cursors }) => ({ query: { cursor: cursors['listAuditEvents'] ?? '' } }),
  deletePersonalAccessToken: () => ({}),
  createEnvironment: ({ env }) => ({ body: { name: 'made', parentId: env } }),
  listEnvironments: ({ cursors }) => ({ query: { cursor: cursors['listEnvironments'] ?? '' } }),
  getEnvironment: () => ({}),
  updateEnvironment: ({ otherEnv }) => ({ body: { description: 'New', parentId: otherEnv } }),
  deleteEnvironment: () => ({ query: { force: 'true' } }),
  createConfigSchema: () => ({ body: { name: 'made', schema: targetDefinition('made') } }),
  listConfigSchemas: ({ cursors }) => ({ query: { cursor: cursors['listConfigSchemas'] ?? '' } }),
  getConfigSchema: () => ({}),
  replaceConfigSchema: ({ env }) => ({
    body: {
      schema: targetDefinition('replaced'),
      environmentId: env,
      values: [{ environmentId: env, set: { greeting: 'replaced' }, unset: [] }],
    },
  }),
  updateConfigSchema: () => ({ body: { description: 'Described' } }),
  deleteConfigSchema: () => ({ query: { force: 'true' } }),
  getConfigReport: () => ({}),
  listSegments: ({ cursors }) => ({ query: { cursor: cursors['listSegments'] ?? '' } }),
  createSegment: () => ({ body: { name: 'made', anyOf } }),
  getSegment: () => ({}),
  replaceSegment: () => ({ body: { anyOf } }),
  deleteSegment: () => ({}),
  listSegmentVersions: ({ cursors }) => ({
    query: { cursor: cursors['listSegmentVersions'] ?? '' },
  }),
  ...changeRecipes,
  ...gateRecipes,
  setConfigValues: (target) => ({
    body: { ...pair(target), values: { greeting: 'set', password: 'set' } },
  }),
  getConfigValues: (target) => ({ query: pair(target) }),
  deleteConfigValues: (target) => ({ query: { ...pair(target), key: 'greeting' } }),
  promoteConfigValues: ({ sch, env, otherEnv }) => ({
    body: { schemaId: sch, fromEnvironmentId: env, toEnvironmentId: otherEnv },
  }),
  listConfigVersions: (target) => ({
    query: { ...pair(target), cursor: target.cursors['listConfigVersions'] ?? '' },
  }),
  getConfigVersion: ({ otherVer }) => ({ query: { against: otherVer } }),
  restoreConfigVersion: ({ otherVer }) => ({ params: { version_id: otherVer }, body: {} }),
  getConfigMatrix: ({ sch, env }) => ({ query: { schemaId: sch, environmentId: env } }),
  changeConfig: ({ sch, env }) => ({
    body: { schemaId: sch, changes: [{ environmentId: env, set: { greeting: 'changed' } }] },
  }),
  importConfig: ({ schName, envName }) => ({
    body: {
      schema: schName,
      document: {
        format: 'signalbox-import/1',
        source: 'launchdarkly',
        keys: [
          {
            key: 'imported',
            from: 'imported',
            type: 'boolean',
            tier: 'featureFlags',
            verdict: 'exact',
            values: [{ environment: envName, value: true }],
            issues: [],
          },
        ],
        leftOut: [],
      },
    },
  }),
  restoreConfigVersions: ({ otherVer }) => ({ body: { restores: [{ versionId: otherVer }] } }),
  readValues: (target) => ({ query: names(target) }),
  readValue: (target) => ({ params: { key: 'greeting' }, query: names(target) }),
  readSnapshot: () => ({}),
  readNamedSnapshot: (target) => ({ query: names(target) }),
  readFlagdDefinition: (target) => ({ query: names(target) }),
  readSnapshotVersion: () => ({ params: { version: '1' } }),
  streamSnapshot: () => ({}),
  evaluateFlag: evaluationOf('beta'),
  evaluateValue: evaluationOf('seats'),
  evaluateLimit: evaluationOf('seats'),
  evaluateFlagsByOfrep: (target) => ({ query: names(target), body: forUser }),
  evaluateFlagByOfrep: (target) => ({
    params: { key: 'beta' },
    query: names(target),
    body: forUser,
  }),
  evaluateEnvironmentFlagsByOfrep: ({ schName }) => ({ query: { schema: schName }, body: forUser }),
  evaluateEnvironmentFlagByOfrep: ({ schName }) => ({
    params: { key: 'beta' },
    query: { schema: schName },
    body: forUser,
  }),
  evaluateSchemaFlagsByOfrep: () => ({ body: forUser }),
  evaluateSchemaFlagByOfrep: () => ({ params: { key: 'beta' }, body: forUser }),
}

const pathKinds: Readonly<Record<string, IdKind>> = {
  org_id: 'org',
  environment_id: 'env',
  schema_id: 'sch',
  // A segment of every target has the name of its schema.
  segment: 'schName',
  version_id: 'ver',
  key_id: 'key',
  token_id: 'pat',
  agent_token_id: 'agt',
  scim_token_id: 'scm',
  provider_id: 'idp',
  deployment_id: 'dep',
  run_id: 'run',
  dispatch_id: 'dsp',
  route_id: 'rte',
  notification_id: 'ntf',
  user_id: 'usr',
  invitation_id: 'inv',
  group_id: 'grp',
  request_id: 'chr',
  plan_id: 'pln',
  proof_id: 'prf',
  check_id: 'chk',
  gate_id: 'gat',
  decision_id: 'gdc',
  rule_id: 'prv',
  template_id: 'rtp',
  grant_id: 'gra',
  delivery_id: 'dlv',
  webhook_id: 'whk',
  signal_id: 'sig',
  message_id: 'msg',
  target_id: 'tgt',
  job_id: 'job',
  sync_id: 'sync',
}
/** Holds those of an endpoint whose ids are others of the same form. */
const pathKindsOf: Partial<Record<OperationId, Readonly<Record<string, IdKind>>>> = {
  getTrackerSync: { sync_id: 'issueSync' },
}
/** Query and body members that name something without having the form of an id. */
const namedKinds: Readonly<Record<string, IdKind>> = { environment: 'envName', schema: 'schName' }

/** Maps a member of a body, by its endpoint, to the member of the valid request that it stands in the place of. */
const alternatives: Partial<Record<OperationId, Readonly<Record<string, string>>>> = {
  createGrant: { keyId: 'groupId' },
}

/** Every endpoint that has something of an organization in its request. */
export function operationsWithIds(): OperationId[] {
  return Object.values(endpoints)
    .map(({ operationId }) => operationId)
    .filter((operationId) => positionsOf(operationId).length > 0)
}

/** The places of an endpoint's request where an id stands, read out of its declaration. */
export function positionsOf(operationId: OperationId): Position[] {
  const { path, query, body, listener }: EndpointShape = endpoints[operationId]
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => {
    const kind = pathKindsOf[operationId]?.[name] ?? pathKinds[name]
    return kind === undefined ? [] : [{ part: 'params', name, kind } as const]
  })
  const isDelivered = listener === 'delivery'
  return [
    ...inPath,
    ...membersOf(query, isDelivered).map((member) => ({ part: 'query' as const, ...member })),
    ...membersOf(body, isDelivered).map((member) => ({ part: 'body' as const, ...member })),
  ]
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly pattern?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

function membersOf(schema: z.ZodType | undefined, isDelivered: boolean) {
  if (schema === undefined) return []
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const named = Object.keys(isDelivered ? (json.properties ?? {}) : {}).flatMap((name) => {
    const kind = namedKinds[name]
    return kind === undefined ? [] : [{ name, kind }]
  })
  return [...idPositionsIn(json, [], json.$defs ?? {}), ...named]
}

/** Every place of an id in what `schema` describes, with the way to it. */
function idPositionsIn(
  schema: JsonSchema,
  way: readonly string[],
  defs: Readonly<Record<string, JsonSchema>>,
): { readonly name: string; readonly kind: IdKind }[] {
  const { pattern, anyOf = [], items, properties = {}, $ref } = schema
  const name = way.join('.')
  const referred = $ref === undefined ? undefined : defs[$ref.replace('#/$defs/', '')]
  if (referred !== undefined) return idPositionsIn(referred, way, defs)
  const kind = /^\^(org|env|sch|ver|key|dep|run|grp)_/.exec(pattern ?? '')?.[1] as
    | IdKind
    | undefined
  if (kind !== undefined) return [{ name, kind }]
  if (name === 'cursor') return [{ name, kind: 'cursor' }]
  return [
    ...anyOf.flatMap((one) => idPositionsIn(one, way, defs)),
    ...(items === undefined ? [] : idPositionsIn(items, [...way, '0'], defs)),
    ...Object.entries(properties).flatMap(([member, inner]) =>
      idPositionsIn(inner, [...way, member], defs),
    ),
  ]
}

/** A valid request about `target`. Fails when the endpoint has ids and nobody said what else it needs. */
export function draft(operationId: OperationId, target: Target): Draft {
  const recipe = recipes[operationId]
  if (recipe === undefined) throw new Error(`The table has no request for ${operationId}`)
  const { params = {}, query = {}, body } = recipe(target)
  const ids = positionsOf(operationId).flatMap(({ part, name, kind }) =>
    part === 'params' && kind !== 'cursor' ? [[name, target[kind]] as const] : [],
  )
  const made = { operationId, params: { ...Object.fromEntries(ids), ...params }, query, body }
  for (const position of positionsOf(operationId)) {
    const isOptional =
      position.kind === 'cursor' ||
      position.kind === 'schName' ||
      alternatives[operationId]?.[position.name] !== undefined
    if (valueAt(made[position.part], position.name.split('.')) !== undefined || isOptional) continue
    throw new Error(`The request for ${operationId} has nothing at ${position.name}`)
  }
  return made
}

/** The same request with another value at one position. */
export function replaceAt(from: Draft, { part, name }: Position, value: string): Draft {
  const replaced = alternatives[from.operationId]?.[name]
  const others = Object.entries(Object(from[part])).filter(([member]) => member !== replaced)
  const rest = replaced === undefined ? from[part] : Object.fromEntries(others)
  return { ...from, [part]: exchange(rest, name.split('.'), value) }
}

function valueAt(from: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined || !(from instanceof Object)) return from
  return valueAt(Reflect.get(from, first), rest)
}

function exchange(from: unknown, [first, ...rest]: readonly string[], value: string): unknown {
  if (first === undefined) return value
  if (Array.isArray(from)) {
    return from.map((item, i) => (String(i) === first ? exchange(item, rest, value) : item))
  }
  const members = Object(from) as Readonly<Record<string, unknown>>
  return { ...members, [first]: exchange(members[first], rest, value) }
}

/** Puts a request together. Nothing that stands in it is mended. */
export function toAsk({ operationId, params, query, body }: Draft): Ask {
  const { method, path }: EndpointShape = endpoints[operationId]
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const search = new URLSearchParams(query).toString()
  return { method, path: search === '' ? filled : `${filled}?${search}`, json: body }
}
