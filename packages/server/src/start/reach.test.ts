import { endpoints, isWrite, type EndpointShape } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newId } from '../crypto/ids.ts'
import { newOpaqueToken } from '../crypto/opaque-tokens.ts'
import { connectAll } from './testing/connect-organization.ts'
import { openConnected, type Connected } from './testing/open-connected.ts'
import { openShop } from './testing/play-push.ts'

type Found = { readonly items: readonly { readonly id: string; readonly name: string }[] }
type Headers = Readonly<Record<string, string>>

let service: Connected
let owner: Headers
let viewer: Headers
/** Server keys of an empty environment and of an empty schema. */
const keys = { environment: {} as Headers, schema: {} as Headers }
/** Maps the parameters of paths to their values. */
let words: Record<string, string>
/** By operation, where a request says nothing without them. */
let queries: Readonly<Record<string, string>>
let bodies: Readonly<Record<string, object>>
/** Maps labels to the secrets and credentials that were planted. */
const canaries = new Map<string, string>()
/** Texts of what the keys are not for. */
let elsewhere: Readonly<Record<keyof typeof keys, readonly string[]>>

const plant = (label: string) => {
  const text = `planted-${label.replaceAll(' ', '-')}-0123456789`
  canaries.set(label, text)
  return text
}

beforeAll(async () => {
  service = await openConnected()
  const { apiUrl, ask, orgId, sandbox, session } = service
  owner = { cookie: session, origin: apiUrl, 'x-requested-by': 'dashboard' }
  const shop = openShop(sandbox)
  await connectAll(service)
  const testWorkflows = [{ workflowId: 'e2e.yml', debounceSeconds: 0 }]
  await ask('PATCH /integrations/codehost', { testWorkflows })
  shop.push('feat: sell hats SHOP-1')
  shop.deploy('staging', ['in_progress', 'success'])
  const environments = (await ask<Found>('GET /environments')).items
  const environmentOf = (name: string) => environments.find((one) => one.name === name)?.id ?? ''
  const environmentId = environmentOf('staging')
  const token = { type: 'string', tier: 'secret', default: plant('default of a secret') }
  const flag = { type: 'boolean', tier: 'featureFlags', default: false }
  const addSchema = async (name: string) =>
    (await ask<{ id: string }>('POST /config-schemas', { name, schema: { token, flag } })).id
  const [schemaId, emptyId] = [await addSchema('web'), await addSchema('empty')]
  const values = { token: plant('value of a secret'), flag: true }
  await ask('PUT /config-values', { schemaId, environmentId, values })
  await ask('POST /outgoing-webhooks', {
    name: 'hook',
    url: `https://hooks.example.com/${plant('path of a webhook')}?token=${plant('query of a webhook')}`,
    events: ['config.changed'],
    authorization: `Bearer ${plant('header of a webhook')}`,
  })
  const { secret } = await ask<{ secret: string }>('POST /signals', {
    name: 'alerts',
    spec: { kind: 'alert' },
  })
  canaries.set('secret of a signal', secret)
  await ask('POST /signals', {
    name: 'page',
    spec: {
      kind: 'http',
      url: `https://shop.example.com/${plant('path of a signal')}`,
      expect: '2xx',
    },
    authorization: `Bearer ${plant('header of a signal')}`,
  })
  const addKey = async (name: string, restriction: object) => {
    const body = { name, kind: 'm2m', ...restriction }
    const { secret } = await ask<{ secret: string }>('POST /api-keys', body)
    canaries.set(`key of ${name}`, secret)
    return { authorization: `Bearer ${secret}` }
  }
  keys.environment = await addKey('one', { environmentIds: [environmentOf('development')] })
  keys.schema = await addKey('two', { schemaIds: [emptyId] })
  const when = { attribute: 'plan', operator: 'equals', value: 'pro' }
  await ask('POST /segments', { name: 'staff', anyOf: [{ when: [when] }] })
  const requested = {
    title: 'Ask',
    operation: {
      kind: 'values',
      body: { schemaId, changes: [{ environmentId, set: { flag: false } }] },
    },
  }
  await ask('POST /change-requests', requested)
  await ask('POST /rollout-plans', {
    schemaId,
    environmentId,
    flag: 'flag',
    steps: [{ percent: 5, holdMinutes: 60 }],
  })
  await uploadDefinition(await addKey('three', {}))
  viewer = await addViewer()
  for (const list of ['deployments', 'test-runs', 'webhook-deliveries']) {
    const isThere = async () => expect((await ask<Found>(`GET /${list}`)).items).not.toEqual([])
    await vi.waitFor(isThere, 30_000)
  }
  for (const { headers } of sandbox.log.list()) {
    const proof = headers['authorization']?.split(' ')[1]
    if (proof !== undefined) canaries.set(`credential ${canaries.size}`, proof)
  }
  const place = `?schemaId=${schemaId}&environmentId=${environmentId}`
  const named = `?schema=web&environment=staging`
  const versions = (await ask<Found>(`GET /config-versions${place}`)).items
  const [deployment] = (await ask<Found>('GET /deployments')).items
  words = { org_id: orgId, schema_id: schemaId, environment_id: environmentId, segment: 'staff' }
  Object.assign(words, { version_id: versions[0]?.id, version: '1', key: 'flag' })
  // The first of the list has no manual trigger.
  words['workflow_id'] = 'e2e.yml'
  queries = {
    ...Object.fromEntries(ofPlace.map((operation) => [operation, place])),
    ...Object.fromEntries(ofNames.map((operation) => [operation, named])),
    deleteConfigValues: `${place}&key=flag`,
    getConfigMatrix: `?schemaId=${schemaId}`,
    searchOrganization: '?query=hats',
  }
  const pair = { schemaId, environmentId }
  const sha = 'a'.repeat(40)
  const reported = {
    repository: 'acme/shop',
    sha,
    ref: 'main',
    environment: 'staging',
    state: 'success',
  }
  const everything = { environmentIds: null, repositories: null, branches: null, states: 'always' }
  bodies = {
    createEnvironment: { name: 'more' },
    createConfigSchema: { name: 'more', schema: {} },
    replaceConfigSchema: { schema: {} },
    setConfigValues: { ...pair, values: { flag: false } },
    promoteConfigValues: {
      schemaId,
      fromEnvironmentId: environmentId,
      toEnvironmentId: environmentOf('production'),
    },
    changeConfig: { schemaId, changes: [{ environmentId, set: { flag: false } }] },
    restoreConfigVersions: { restores: [{ versionId: versions[0]?.id }] },
    importConfig: {
      schema: 'web',
      document: { format: 'signalbox-import/1', source: 'launchdarkly', keys: [], leftOut: [] },
    },
    createChangeRequest: requested,
    reviseChangeRequest: requested,
    reviewChangeRequest: { revision: 1, verdict: 'comment' },
    scheduleChangeRequest: { applyAt: null },
    overrideChangeRequest: { comment: 'In an emergency' },
    createPreviewRule: { pattern: 'pr-*', parentId: environmentId },
    createRolloutPlan: { ...pair, flag: 'flag', steps: [{ percent: 5, holdMinutes: 60 }] },
    createReleaseTemplate: { name: 'more', steps: [{ percent: 5, holdMinutes: 60 }] },
    createSegment: { name: 'more', anyOf: [{ when: [when] }] },
    replaceSegment: { anyOf: [{ when: [when] }] },
    evaluateFlag: { environment: 'staging', schema: 'web' },
    evaluateValue: { environment: 'staging', schema: 'web' },
    evaluateLimit: { environment: 'staging', schema: 'web' },
    evaluateEnvironmentFlagsByOfrep: { context: {} },
    evaluateEnvironmentFlagByOfrep: { context: {} },
    evaluateSchemaFlagsByOfrep: { context: {} },
    evaluateSchemaFlagByOfrep: { context: {} },
    replayWebhookDeliveries: { state: 'failed' },
    createDeployment: reported,
    enrichDeployment: { commitMessages: [], deploymentId: deployment?.id },
    createTestRun: { name: 'run', deploymentId: deployment?.id },
    dispatchWorkflow: { ref: 'main', deploymentId: deployment?.id },
    createNotificationRoute: {
      name: 'route',
      channelId: 'C',
      match: everything,
      events: ['deployment'],
    },
    previewNotificationRoute: { match: everything },
    settleNotification: { isThere: false },
    updateChat: { defaultChannelId: 'C0GENERAL1' },
  }
  elsewhere = {
    environment: [environmentId, deployment?.id ?? '', 'sell hats', 'acme/shop'],
    schema: [schemaId],
  }
}, 60_000)
afterAll(() => service?.close())

/** Uploads what a commit of a repository declares that only pipelines have reported. */
async function uploadDefinition(key: Headers): Promise<void> {
  const repository = 'acme/checked'
  await service.asOwner(
    `insert into repositories (org_id, id, full_name) values ($1, 'rep_checked', $2)`,
    [service.orgId, repository],
  )
  const definition = { flag: { type: 'boolean', tier: 'featureFlags', default: false } }
  const body = { repository, sha: 'b'.repeat(40), ref: 'main', schema: 'web', definition }
  const answer = await fetch(`${service.apiUrl}/organizations/${service.orgId}/commit-checks`, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
}

async function addViewer(): Promise<Headers> {
  const { token, hash } = newOpaqueToken()
  await service.asOwner(`insert into users (id, email, name) values ('usr_v', 'v@v.v', 'Vi')`)
  await service.asOwner(
    `insert into sessions (token_hash, user_id, expires_at) values ($1, 'usr_v', now() + interval '1 day')`,
    [hash],
  )
  await service.asOwner(
    `insert into members (org_id, user_id, role) values ($1, 'usr_v', 'viewer')`,
    [service.orgId],
  )
  return { ...owner, cookie: `__Host-s=${token}` }
}

async function call({ operationId, method, path }: EndpointShape, headers: Headers) {
  let at = ''
  for (const part of path.split('/').slice(1)) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    at += `/${name === undefined ? part : await wordOf(name, at)}`
  }
  const isRead = method === 'GET' || method === 'DELETE'
  const answer = await fetch(`${service.apiUrl}${at}${queries[operationId] ?? ''}`, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(!isRead && { 'content-type': 'application/json' }) },
    ...(!isRead && { body: JSON.stringify(bodies[operationId] ?? {}) }),
  })
  const text = await answer.text()
  return { status: answer.status, text }
}

/** The id of whatever the owner sees first in the list that the parameter stands below. */
async function wordOf(name: string, list: string): Promise<string> {
  const known = words[name]
  if (known !== undefined) return known
  const answer = await fetch(`${service.apiUrl}${list}`, { headers: owner })
  const found = (await answer.json()) as Partial<Found>
  return (words[name] = found.items?.[0]?.id ?? 'absent')
}

const ofPlace = ['getConfigValues', 'listConfigVersions']
const ofNames = ['readValues', 'readValue', 'readNamedSnapshot', 'readFlagdDefinition']
const all: readonly EndpointShape[] = Object.values(endpoints)
const ofOrganization = all.filter(({ access }) => access.kind === 'organization')

/** Says for each operation why it answers a key of another environment. No answer holds anything of the environment in question. */
const answeredToKeysOfAnEnvironment: Readonly<Record<string, string>> = {
  getOrganization: 'it is its own',
  listEnvironments: 'filters',
  listPreviewEnvironments: 'filters',
  listConfigSchemas: 'a schema belongs to every environment',
  getConfigSchema: 'a schema belongs to every environment',
  getConfigReport: 'filters',
  getConfigMatrix: 'filters',
  listSegments: 'a segment belongs to every environment',
  getSegment: 'a segment belongs to every environment',
  listSegmentVersions: 'a segment belongs to every environment',
  listChangeRequests: 'filters',
  listRolloutPlans: 'filters',
  listProofs: 'filters',
  listCommitChecks: 'filters',
  getCommitCheck: 'filters',
  listGateDecisions: 'filters',
  listSignals: 'a signal belongs to every environment',
  getSignal: 'a signal belongs to every environment',
  listReleaseTemplates: 'steps belong to every environment',
  listDeployments: 'filters',
  listTestRuns: 'filters',
  getTracker: 'says which projects count, before a pipeline sends commit messages',
  listTrackerProjects: 'says which projects count, before a pipeline sends commit messages',
  listWorkflows: 'names the workflows, before a pipeline starts one for its deployment',
}

/** Says for each operation why it answers a key of another schema. Deployments and test runs, for one, belong to no schema. */
const answeredToKeysOfASchema: Readonly<Record<string, string>> = {
  getOrganization: 'it is its own',
  listEnvironments: 'an environment belongs to every schema',
  listPreviewEnvironments: 'an environment belongs to every schema',
  getEnvironment: 'an environment belongs to every schema',
  listConfigSchemas: 'filters',
  listSegments: 'a segment belongs to every schema',
  getSegment: 'a segment belongs to every schema',
  listSegmentVersions: 'a segment belongs to every schema',
  listChangeRequests: 'filters',
  listProofs: 'filters',
  listSignals: 'a signal belongs to every schema',
  getSignal: 'a signal belongs to every schema',
  listRolloutPlans: 'filters',
  listReleaseTemplates: 'steps belong to every schema',
  evaluateEnvironmentFlagsByOfrep: 'chooses the schema of the key',
  evaluateEnvironmentFlagByOfrep: 'chooses the schema of the key',
  listDeployments: 'its environment decides',
  listCommitChecks: 'filters',
  getCommitCheck: 'filters',
  listGateDecisions: 'its environment decides',
  getDeployment: 'its environment decides',
  createDeployment: 'its environment decides',
  enrichDeployment: 'its environment decides',
  createTestRun: 'its environment decides',
  listTestRuns: 'its environment decides',
  getTestRun: 'its environment decides',
  updateTestRun: 'its environment decides',
  dispatchWorkflow: 'the environment of the deployment that it tests decides',
  getTracker: 'says which projects count, before a pipeline sends commit messages',
  listTrackerProjects: 'says which projects count, before a pipeline sends commit messages',
  listWorkflows: 'names the workflows, before a pipeline starts one for its deployment',
}

describe('an address that a person enters', () => {
  it('is not called where an operator allows it for the providers alone', async () => {
    const { ask, asOwner, sandbox } = service
    const calls = sandbox.log.list().length
    const url = `${sandbox.origin}/github/admin/delete?all=1`
    const hook = { name: 'inside', url: 'https://hooks.example.com/in', events: ['config.changed'] }
    await expect(ask('POST /outgoing-webhooks', { ...hook, url })).rejects.toThrow('422')
    const { id } = await ask<{ id: string }>('POST /outgoing-webhooks', hook)
    await expect(ask(`PATCH /outgoing-webhooks/${id}`, { url })).rejects.toThrow('422')
    type Messages = { readonly items: readonly { readonly reason: string | null }[] }
    const readReason = async () =>
      (await ask<Messages>(`GET /outgoing-webhooks/${id}/messages`)).items[0]?.reason
    // As if an operator had allowed the host when the address was entered.
    for (const [address, reason] of [
      [url, 'invalid_url'],
      [url.replace('http:', 'https:'), 'address_forbidden'],
    ]) {
      await asOwner('update outgoing_webhooks set url = $2 where id = $1', [id, address])
      await ask(`POST /outgoing-webhooks/${id}/test`)
      await expect.poll(readReason, { timeout: 30_000 }).toBe(reason)
    }
    expect(sandbox.log.list().slice(calls)).not.toContainEqual(
      expect.objectContaining({ path: expect.stringContaining('all=1') }),
    )
    await ask(`DELETE /outgoing-webhooks/${id}`)
  }, 60_000)
})

describe('a body with several bad parts', () => {
  it('is refused with the place of each, and nothing of it is stored', async () => {
    const absent = (kind: 'env' | 'sch') => [newId(kind, new Date()), newId(kind, new Date())]
    const environmentIds = [words['environment_id'], ...absent('env')]
    const schemaIds = [words['schema_id'], ...absent('sch')]
    const key = { name: 'bad', kind: 'm2m', environmentIds, schemaIds }
    const match = { environmentIds }
    const route = { name: 'bad', channelId: 'C0GENERAL1', match, events: ['deployment'] }
    const imported = {
      key: 'a',
      from: 'a',
      type: 'string',
      tier: 'public',
      verdict: 'exact',
      values: [],
      issues: [],
    }
    const cases: readonly [string, object, readonly string[]][] = [
      [
        'POST /api-keys',
        key,
        ['/environmentIds/1', '/environmentIds/2', '/schemaIds/1', '/schemaIds/2'],
      ],
      ['POST /notification-routes', route, ['/match/environmentIds/1', '/match/environmentIds/2']],
      [
        'POST /notification-routes/preview',
        { match },
        ['/match/environmentIds/1', '/match/environmentIds/2'],
      ],
      [
        'PATCH /integrations/codehost',
        {
          repositories: [{ id: '999999', tracked: true }],
          environmentMap: environmentIds.map((id) => ({ pattern: '*', environmentId: id })),
          testWorkflows: [{ workflowId: 'e2e.yml', environmentIds, repositoryId: '999999' }],
        },
        [
          '/environmentMap/1/environmentId',
          '/environmentMap/2/environmentId',
          '/repositories/0/id',
          '/testWorkflows/0/environmentIds/1',
          '/testWorkflows/0/environmentIds/2',
          '/testWorkflows/0/repositoryId',
        ],
      ],
      [
        'PUT /integrations/codehost/key-workflows',
        {
          keyWorkflows: ['999998', '999999'].map((repositoryId) => ({
            repositoryId,
            workflowId: 'e2e.yml',
          })),
        },
        ['/keyWorkflows/0/repositoryId', '/keyWorkflows/1/repositoryId'],
      ],
      [
        'POST /config-imports',
        {
          schema: 'web',
          document: {
            format: 'signalbox-import/1',
            source: 'launchdarkly',
            keys: [
              { ...imported, type: 'none' },
              { ...imported, tier: 'none' },
            ],
            leftOut: [],
          },
        },
        ['/document/keys/0/type', '/document/keys/1/tier'],
      ],
    ]
    const stored = async () => [
      await service.asOwner('select id from api_keys order by 1'),
      await service.asOwner('select id from notification_routes order by 1'),
      await service.asOwner('select id, settings from integrations order by 1'),
      await service.asOwner('select id, revision from config_schemas order by 1'),
    ]
    const before = await stored()
    for (const [request, body, places] of cases) {
      const [method = '', path = ''] = request.split(' ')
      const answer = await fetch(`${service.apiUrl}/organizations/${service.orgId}${path}`, {
        method,
        headers: { ...owner, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const { errors = [] } = (await answer.json()) as { errors?: { pointer: string }[] }
      const named = errors.map(({ pointer }) => pointer).toSorted()
      expect([request, answer.status, named]).toEqual([request, 422, places])
    }
    expect(await stored()).toEqual(before)
  })
})

describe('a viewer', () => {
  it('is shown no secret and no credential in any answer, and an admin some addresses that hold one', async () => {
    const [seen, seenByOwner]: [string[], string[]] = [[], []]
    const unanswered: string[] = []
    for (const endpoint of ofOrganization) {
      if (isWrite(endpoint) || endpoint.rateClass === 'stream') continue
      const { operationId } = endpoint
      const answer = await call(endpoint, viewer)
      const toOwner = await call(endpoint, owner)
      if (toOwner.status !== 200) unanswered.push(operationId)
      for (const [label, text] of canaries) {
        if (answer.text.includes(text)) seen.push(`${label} in ${operationId}`)
        if (toOwner.text.includes(text)) seenByOwner.push(`${label} in ${operationId}`)
      }
    }
    expect(seen).toEqual([])
    expect(canaries.size).toBeGreaterThan(9)
    // Control: the sweep sees what an admin may see.
    expect(seenByOwner.toSorted()).toEqual([
      'path of a signal in listSignals',
      'path of a webhook in getOutgoingWebhook',
      'path of a webhook in listOutgoingWebhooks',
      'query of a webhook in getOutgoingWebhook',
      'query of a webhook in listOutgoingWebhooks',
    ])
    // Some have nothing to show here: there is no targeted key, target, route, proof, plan, sync, dispatch, group or directory, and no single environment to evaluate in.
    expect(unanswered.length).toBeLessThan(23)
  }, 60_000)
})

describe('a server key that is restricted', () => {
  it.each([
    ['environment', answeredToKeysOfAnEnvironment],
    ['schema', answeredToKeysOfASchema],
  ] as const)(
    'to another %s is refused by each endpoint, or answered for a reason and without a word of it',
    async (kind, reasons) => {
      const answered: string[] = []
      for (const endpoint of ofOrganization) {
        const { access, operationId } = endpoint
        if (access.kind !== 'organization' || access.keys === 'none') continue
        const { status, text } = await call(endpoint, keys[kind])
        // One that is told apart by environment does not exist for the key.
        if (status === 403 || (status === 404 && hidden.has(operationId))) continue
        if (status === 400 && withoutPath.has(operationId)) continue
        answered.push(operationId)
        expect([operationId, Math.floor(status / 100)]).toEqual([operationId, 2])
        const told = elsewhere[kind].filter((word) => text.includes(word))
        expect([operationId, told]).toEqual([operationId, []])
      }
      expect(answered.toSorted()).toEqual(Object.keys(reasons).toSorted())
    },
    60_000,
  )
})

/** Answer a key of another environment as if there were no deployment. */
const hidden = new Set([
  'getGateDecision',
  'getDeployment',
  'enrichDeployment',
  'getChangeRequest',
  'getChangeRequestEffects',
  'reviseChangeRequest',
  'applyChangeRequest',
  'scheduleChangeRequest',
  'withdrawChangeRequest',
  'getProof',
  'getRolloutPlan',
  'pauseRolloutPlan',
  'resumeRolloutPlan',
  'advanceRolloutPlan',
  'returnRolloutPlan',
  'stopRolloutPlan',
  'restoreRolloutPlan',
])
/** Name no environment: they evaluate in the only one that the key has. */
const withoutPath = new Set(['evaluateFlagsByOfrep', 'evaluateFlagByOfrep'])
