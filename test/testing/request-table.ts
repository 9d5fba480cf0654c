import { endpoints, type EndpointShape, type OperationId } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Ask } from './http.ts'
import { targetDefinition, type Target } from './target.ts'

/** A request before it is put together, so that one part of it can be exchanged. */
export interface Draft {
  readonly operationId: OperationId
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>> | undefined
}

/** What stands at a position. `envName` and `schName` take a name as well as an id. */
export type IdKind =
  | 'org'
  | 'env'
  | 'sch'
  | 'ver'
  | 'key'
  | 'pat'
  | 'envName'
  | 'schName'
  | 'cursor'

/** A place of a request that names something of an organization. */
export interface Position {
  readonly part: 'params' | 'query' | 'body'
  readonly name: string
  readonly kind: IdKind
}

type Recipe = (target: Target) => {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

const pair = ({ sch, env }: Target) => ({ schemaId: sch, environmentId: env })
const names = ({ envName, schName }: Target) => ({ environment: envName, schema: schName })

/** What a valid request of each endpoint holds beside the ids in its path. */
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
  createPersonalAccessToken: () => ({ body: { name: 'made' } }),
  createOrganization: () => ({ body: { name: 'Made' } }),
  saveProviderApp: () => ({
    params: { provider: 'jira' },
    body: { provider: 'jira', clientId: 'made', clientSecret: 'made up and long enough' },
  }),
  deleteProviderApp: () => ({ params: { provider: 'jira' } }),
  endPreviousSecret: () => ({ params: { provider: 'github' } }),
  listPersonalAccessTokens: ({ cursors }) => ({
    query: { cursor: cursors['listPersonalAccessTokens'] ?? '' },
  }),
  listOrganizations: () => ({}),
  getOrganization: () => ({}),
  updateOrganization: () => ({ body: { name: 'Renamed' } }),
  deleteOrganization: () => ({}),
  createApiKey: ({ env, sch }) => ({
    body: { name: 'made', kind: 'm2m', environmentIds: [env], schemaIds: [sch] },
  }),
  listApiKeys: ({ cursors }) => ({ query: { cursor: cursors['listApiKeys'] ?? '' } }),
  getApiKey: () => ({}),
  updateApiKey: ({ env, sch }) => ({
    body: { name: 'renamed', environmentIds: [env], schemaIds: [sch] },
  }),
  rotateApiKey: () => ({ body: { overlapSeconds: 60 } }),
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
    body: { schema: targetDefinition('replaced'), environmentId: env },
  }),
  updateConfigSchema: () => ({ body: { description: 'Described' } }),
  deleteConfigSchema: () => ({ query: { force: 'true' } }),
  getConfigReport: () => ({}),
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
  readValues: (target) => ({ query: names(target) }),
  readValue: (target) => ({ params: { key: 'greeting' }, query: names(target) }),
  readSnapshot: () => ({}),
  readSnapshotVersion: () => ({ params: { version: '1' } }),
  streamSnapshot: () => ({}),
  evaluateFlag: (target) => ({
    params: { key: 'beta' },
    query: { schema: target.schName },
    body: { environment: target.envName },
  }),
}

const pathKinds: Readonly<Record<string, IdKind>> = {
  org_id: 'org',
  environment_id: 'env',
  schema_id: 'sch',
  version_id: 'ver',
  key_id: 'key',
  token_id: 'pat',
}
/** Query and body members that name something without having the form of an id. */
const namedKinds: Readonly<Record<string, IdKind>> = { environment: 'envName', schema: 'schName' }

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
    const kind = pathKinds[name]
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
}

function membersOf(schema: z.ZodType | undefined, isDelivered: boolean) {
  if (schema === undefined) return []
  const { properties = {} } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema
  return Object.entries(properties).flatMap(([name, member]) => {
    const named = isDelivered ? namedKinds[name] : undefined
    const kind = name === 'cursor' ? 'cursor' : (named ?? kindIn(member))
    return kind === undefined ? [] : [{ name, kind }]
  })
}

function kindIn({ pattern, anyOf = [], items }: JsonSchema): IdKind | undefined {
  const kind = /^\^(org|env|sch|ver|key)_/.exec(pattern ?? '')?.[1] as IdKind | undefined
  if (kind !== undefined) return kind
  const inner = items === undefined ? anyOf : [items]
  return inner.map(kindIn).find((found) => found !== undefined)
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
    const isOptional = position.kind === 'cursor' || position.kind === 'schName'
    if (made[position.part]?.[position.name] !== undefined || isOptional) continue
    throw new Error(`The request for ${operationId} has nothing at ${position.name}`)
  }
  return made
}

/** The same request with another value at one position. */
export function replaceAt(from: Draft, { part, name }: Position, value: string): Draft {
  const present = from[part]?.[name]
  return { ...from, [part]: { ...from[part], [name]: Array.isArray(present) ? [value] : value } }
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
