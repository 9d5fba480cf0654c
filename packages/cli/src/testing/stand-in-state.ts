import type { ConfigValue, FlagRule, KeyDefinition, ProblemCode } from '@signalbox/contract'
import { defaultTier, isTurnedOff, typeOfValue } from '@signalbox/contract'

export class StandInError extends Error {
  readonly code: ProblemCode
  readonly extensions: Record<string, unknown>
  constructor(code: ProblemCode, detail: string, extensions: Record<string, unknown> = {}) {
    super(detail)
    this.code = code
    this.extensions = extensions
  }
}

interface StandInEnvironment {
  readonly id: string
  readonly name: string
  readonly production: boolean
  readonly description: string
  readonly parentId: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

interface StandInSchema {
  readonly id: string
  readonly name: string
  revision: number
  schema: Record<string, KeyDefinition>
}

interface StandInVersion {
  readonly id: string
  readonly version: number
  readonly values: Record<string, ConfigValue>
  readonly changes: { key: string; tier: string; change: string }[]
}

export interface StandInState {
  readonly tokens: Set<string>
  readonly environments: StandInEnvironment[]
  readonly schemas: StandInSchema[]
  /** Versions by `<schema>/<environment>`, oldest first. */
  readonly versions: Map<string, StandInVersion[]>
  /** Rules of flags by `<environment>/<key>`. */
  readonly rules: Map<string, readonly FlagRule[]>
  readonly checks: Record<string, { ok: boolean; detail: string; warning?: boolean }>
  readonly needsYou: Record<string, string>[]
}

export const testToken = `sbx_m2m_${'a'.repeat(46)}`
const now = '2026-11-21T06:00:00.000Z'
const orgId = `org_${'0'.repeat(26)}`
let counter = 0
const newId = (kind: string) => `${kind}_${String((counter += 1)).padStart(26, '0')}`

export function newState(): StandInState {
  return {
    tokens: new Set([testToken]),
    environments: [environment('development', false), environment('production', true)],
    schemas: [],
    versions: new Map(),
    rules: new Map(),
    checks: { storage: { ok: true, detail: '' } },
    needsYou: [],
  }
}

function environment(name: string, production: boolean): StandInEnvironment {
  const times = { createdAt: now, updatedAt: now }
  return { id: newId('env'), name, production, description: '', parentId: null, ...times }
}

interface Handled {
  readonly state: StandInState
  readonly params: readonly string[]
  readonly query: URLSearchParams
  readonly body: Record<string, unknown>
  readonly ifMatch: number | undefined
}

export type Handler = (request: Handled) => { status: number; body?: unknown }

const ok = (body: unknown) => ({ status: 200, body })
const page = (items: readonly unknown[]) => ok({ items, nextCursor: null })

function find<T extends { id: string; name: string }>(items: readonly T[], reference = ''): T {
  const found = items.find(({ id, name }) => id === reference || name === reference)
  if (found === undefined) throw new StandInError('not_found', 'Not found.')
  return found
}

const tierOf = (key: KeyDefinition) => key.tier ?? defaultTier(key.type)

function shownSchema({ id, name, revision, schema }: StandInSchema) {
  const shown = Object.entries(schema).map(([key, definition]) => [
    key,
    {
      ...definition,
      tier: tierOf(definition),
      required: definition.required ?? definition.default === undefined,
      hasDefault: definition.hasDefault ?? definition.default !== undefined,
    },
  ])
  const times = { createdAt: now, updatedAt: now }
  return { id, name, description: '', revision, schema: Object.fromEntries(shown), ...times }
}

function history(state: StandInState, schemaId: string, environmentId: string): StandInVersion[] {
  const key = `${schemaId}/${environmentId}`
  const versions = state.versions.get(key) ?? []
  state.versions.set(key, versions)
  return versions
}

function storedValues(state: StandInState, schemaId: string, environmentId: string) {
  const { schema } = find(state.schemas, schemaId)
  const newest = history(state, schemaId, environmentId).at(-1)
  const values = Object.entries(schema).map(([key, definition]) => {
    const set = newest?.values[key]
    const value = set ?? definition.default
    const source = set === undefined ? (value === undefined ? 'missing' : 'default') : 'set'
    const content = value === undefined ? {} : { value }
    const rules = state.rules.get(`${environmentId}/${key}`)
    const updated = { updatedAt: null, updatedBy: null, ...(rules && { rules }) }
    return [
      key,
      { tier: tierOf(definition), type: definition.type, source, ...content, ...updated },
    ]
  })
  return {
    schemaId,
    environmentId,
    version: newest?.version ?? 0,
    values: Object.fromEntries(values),
  }
}

function write(
  state: StandInState,
  target: { schemaId: string; environmentId: string; ifMatch: number | undefined },
  values: Record<string, ConfigValue>,
) {
  const versions = history(state, target.schemaId, target.environmentId)
  const newest = versions.at(-1)
  if (target.ifMatch !== undefined && target.ifMatch !== (newest?.version ?? 0)) {
    throw new StandInError('revision_mismatch', `It is at version ${newest?.version ?? 0}.`)
  }
  const { schema } = find(state.schemas, target.schemaId)
  const before = newest?.values ?? {}
  const keys = [...new Set([...Object.keys(before), ...Object.keys(values)])]
  const changes = keys
    .filter((key) => before[key] !== values[key])
    .map((key) => ({
      key,
      tier: tierOf(schema[key] ?? { type: 'string' }),
      change:
        before[key] === undefined ? 'added' : values[key] === undefined ? 'removed' : 'changed',
      ...(tierOf(schema[key] ?? { type: 'string' }) === 'secret'
        ? {}
        : { before: before[key], after: values[key] }),
    }))
  const version = { id: newId('ver'), version: (newest?.version ?? 0) + 1, values, changes }
  return { version, commit: () => versions.push(version) }
}

function shownVersion(
  { id, version, changes }: StandInVersion,
  schemaId: string,
  environmentId: string,
) {
  const author = { type: 'user', id: null, name: 'Ada' }
  const common = { kind: 'write', author, comment: null, createdAt: now }
  return { id, schemaId, environmentId, version, changes, ...common }
}

function checkTypes(schema: Record<string, KeyDefinition>, values: Record<string, ConfigValue>) {
  const errors = Object.entries(values).flatMap(([key, value]) =>
    typeOfValue(value) === schema[key]?.type
      ? []
      : [
          {
            pointer: `/values/${key}`,
            code: 'type_mismatch',
            detail: `must be ${schema[key]?.type}`,
          },
        ],
  )
  if (errors.length > 0)
    throw new StandInError('type_mismatch', 'A value has the wrong type.', { errors })
}

function report(state: StandInState, schema: StandInSchema, next: Record<string, KeyDefinition>) {
  return state.environments.map(({ id, name }) => {
    const values = history(state, schema.id, id).at(-1)?.values ?? {}
    return {
      environment: name,
      environmentId: id,
      missing: Object.keys(next).filter(
        (key) => values[key] === undefined && next[key]?.default === undefined,
      ),
      invalid: Object.keys(values)
        .filter((key) => next[key] !== undefined && typeOfValue(values[key]) !== next[key].type)
        .map((key) => ({ key, detail: `is no ${next[key]?.type}` })),
      orphaned: Object.keys(values).filter((key) => next[key] === undefined),
    }
  })
}

/** Leaves out of all keys what the service leaves out, as far as the stand-in knows it. */
function choosePromoted(
  schema: Record<string, KeyDefinition>,
  source: Record<string, ConfigValue>,
  body: Record<string, unknown>,
) {
  const keys = body['keys'] as string[] | undefined
  const include = (body['include'] ?? []) as string[]
  if (keys !== undefined && include.length > 0) {
    const detail = 'Name keys, or what to include of all keys, but not both.'
    const errors = [{ pointer: '/include', code: 'validation_failed', detail }]
    throw new StandInError('validation_failed', detail, { errors })
  }
  if (keys !== undefined) return { keys, leftOut: [] }
  const reasonOf = (key: string) => {
    const definition = schema[key] ?? { type: 'string' }
    const reasons = [
      ...(definition.expectedToDiffer === true ? ['expectedToDiffer'] : []),
      ...(tierOf(definition) === 'secret' ? ['secret'] : []),
    ]
    return reasons.find((reason) => !include.includes(reason))
  }
  const all = Object.keys(source).map((key) => ({ key, reason: reasonOf(key) }))
  return {
    keys: all.filter(({ reason }) => reason === undefined).map(({ key }) => key),
    leftOut: all.filter(({ reason }) => reason !== undefined),
  }
}

const organization = { id: orgId, slug: 'acme', name: 'Acme', createdAt: now, role: null }
const target = (query: URLSearchParams) => ({
  schemaId: query.get('schemaId') ?? '',
  environmentId: query.get('environmentId') ?? '',
})

export const handlers: readonly (readonly [string, Handler])[] = [
  ['GET /healthz', () => ok({ status: 'ok', version: '0.1.0' })],
  ['GET /readyz', ({ state }) => ok({ status: 'ready', checks: state.checks })],
  [
    'GET /me',
    () =>
      ok({
        type: 'api_key',
        id: `key_${'0'.repeat(26)}`,
        name: 'ci',
        email: null,
        keyKind: 'm2m',
        environmentIds: null,
        schemaIds: null,
        configUrl: 'http://127.0.0.1:4401',
        deploymentsKeptDays: null,
        organizations: [organization],
      }),
  ],
  ['GET /organizations/{org}/overview', ({ state }) => ok({ needsYou: state.needsYou })],
  ['GET /organizations/{org}/environments', ({ state }) => page(state.environments)],
  [
    'GET /organizations/{org}/environments/{env}',
    ({ state, params }) => ok(find(state.environments, params[1])),
  ],
  [
    'POST /organizations/{org}/environments',
    ({ state, body }) => {
      const created = environment(String(body['name']), body['production'] === true)
      state.environments.push(created)
      return { status: 201, body: created }
    },
  ],
  [
    'DELETE /organizations/{org}/environments/{env}',
    ({ state, params }) => {
      const found = find(state.environments, params[1])
      state.environments.splice(state.environments.indexOf(found), 1)
      return { status: 204 }
    },
  ],
  ['GET /organizations/{org}/config-schemas', ({ state }) => page(state.schemas.map(shownSchema))],
  [
    'GET /organizations/{org}/config-schemas/{schema}',
    ({ state, params }) => ok(shownSchema(find(state.schemas, params[1]))),
  ],
  [
    'POST /organizations/{org}/config-schemas',
    ({ state, body }) => {
      const created = {
        id: newId('sch'),
        name: String(body['name']),
        revision: 1,
        schema: body['schema'] as Record<string, KeyDefinition>,
      }
      state.schemas.push(created)
      return { status: 201, body: shownSchema(created) }
    },
  ],
  [
    'PUT /organizations/{org}/config-schemas/{schema}',
    ({ state, params, body, ifMatch }) => {
      const found = find(state.schemas, params[1])
      if (ifMatch !== undefined && ifMatch !== found.revision) {
        throw new StandInError('revision_mismatch', `It is at revision ${found.revision}.`)
      }
      const next = body['schema'] as Record<string, KeyDefinition>
      const result = report(state, found, next)
      const breaks = result.some(({ invalid, orphaned }) => invalid.length + orphaned.length > 0)
      if (breaks && body['force'] !== true) {
        throw new StandInError('breaking_change', 'Stored values would break.', {
          report: result,
        })
      }
      if (body['dryRun'] !== true) {
        found.schema = next
        found.revision += 1
      }
      return ok({ ...shownSchema({ ...found, schema: next }), report: result })
    },
  ],
  [
    'GET /organizations/{org}/config-values',
    ({ state, query }) => {
      const { schemaId, environmentId } = target(query)
      return ok(storedValues(state, schemaId, environmentId))
    },
  ],
  [
    'PUT /organizations/{org}/config-values',
    ({ state, body, ifMatch }) => {
      const schemaId = String(body['schemaId'])
      const environmentId = String(body['environmentId'])
      const values = body['values'] as Record<string, ConfigValue>
      checkTypes(find(state.schemas, schemaId).schema, values)
      const before = history(state, schemaId, environmentId).at(-1)?.values ?? {}
      const { commit } = write(
        state,
        { schemaId, environmentId, ifMatch },
        { ...before, ...values },
      )
      if (body['dryRun'] !== true) commit()
      return ok(storedValues(state, schemaId, environmentId))
    },
  ],
  [
    'DELETE /organizations/{org}/config-values',
    ({ state, query, ifMatch }) => {
      const { schemaId, environmentId } = target(query)
      const gone = new Set(query.getAll('key'))
      const before = history(state, schemaId, environmentId).at(-1)?.values ?? {}
      const kept = Object.entries(before).filter(([key]) => !gone.has(key))
      write(state, { schemaId, environmentId, ifMatch }, Object.fromEntries(kept)).commit()
      return ok(storedValues(state, schemaId, environmentId))
    },
  ],
  [
    'POST /organizations/{org}/config-values/promote',
    ({ state, body, ifMatch }) => {
      const schemaId = String(body['schemaId'])
      const environmentId = String(body['toEnvironmentId'])
      const from = history(state, schemaId, String(body['fromEnvironmentId'])).at(-1)
      const source = from?.values ?? {}
      const before = history(state, schemaId, environmentId).at(-1)?.values ?? {}
      const { schema } = find(state.schemas, schemaId)
      const { keys, leftOut } = choosePromoted(schema, source, body)
      const copied = Object.entries(source).filter(([key]) => keys.includes(key))
      const merged = { ...before, ...Object.fromEntries(copied) }
      const { version, commit } = write(state, { schemaId, environmentId, ifMatch }, merged)
      if (body['dryRun'] !== true) commit()
      return ok({
        changes: version.changes,
        leftOut: leftOut.filter(({ key }) => source[key] !== before[key]),
        version: body['dryRun'] === true ? null : shownVersion(version, schemaId, environmentId),
        currentVersion: history(state, schemaId, environmentId).at(-1)?.version ?? 0,
        sourceVersion: from?.version ?? 0,
      })
    },
  ],
  [
    'GET /organizations/{org}/config-versions',
    ({ state, query }) => {
      const { schemaId, environmentId } = target(query)
      const versions = history(state, schemaId, environmentId).toReversed()
      return page(versions.map((version) => shownVersion(version, schemaId, environmentId)))
    },
  ],
  [
    'POST /organizations/{org}/config-versions/{version}/restore',
    ({ state, params, body, ifMatch }) => {
      for (const [key, versions] of state.versions) {
        const [schemaId = '', environmentId = ''] = key.split('/')
        const found = versions.find(({ id }) => id === params[1])
        if (found === undefined) continue
        const now = versions.at(-1)?.values ?? {}
        const include = (body['include'] ?? []) as string[]
        const leftOut = Object.keys(now)
          .filter((name) => isTurnedOff(state.rules.get(`${environmentId}/${name}`)))
          .filter((name) => found.values[name] !== now[name] && !include.includes('turnedOff'))
        const kept = Object.fromEntries(leftOut.map((name) => [name, now[name] ?? false]))
        const values = { ...found.values, ...kept }
        const { version, commit } = write(state, { schemaId, environmentId, ifMatch }, values)
        if (body['dryRun'] !== true) commit()
        const shown = shownVersion(version, schemaId, environmentId)
        const reasons = leftOut.map((name) => ({ key: name, reason: 'turnedOff' }))
        return { status: 201, body: { ...shown, leftOut: reasons } }
      }
      throw new StandInError('not_found', 'Not found.')
    },
  ],
]

/** A schema with a key of each tier, as most tests want it. */
export function addSchema(
  state: StandInState,
  name: string,
  schema: Record<string, KeyDefinition> = {
    apiUrl: { type: 'string', tier: 'public', default: 'http://localhost:3000' },
    timeoutMs: { type: 'number', tier: 'public', default: 3000 },
    stripeKey: { type: 'string', tier: 'secret' },
    newCheckout: { type: 'boolean', tier: 'featureFlags', default: false },
  },
): StandInSchema {
  const added = { id: newId('sch'), name, revision: 1, schema }
  state.schemas.push(added)
  return added
}
