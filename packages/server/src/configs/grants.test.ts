import type { Grant, GrantRole, KeyAccess, Role } from '@signalbox/contract'
import {
  configMatrixEndpoints,
  configSchemaEndpoints,
  configValueEndpoints,
  configVersionEndpoints,
  environmentEndpoints,
  importEndpoints,
  segmentEndpoints,
} from '@signalbox/contract/rest'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWritable, writes, type Writable, type Write } from './testing/every-write.ts'
import { buildKey, openConfigApp, type ConfigApp } from './testing/open-config-app.ts'

let app: ConfigApp
let made = 0
beforeAll(async () => {
  app = await openConfigApp()
})
afterAll(() => app.close())

const anyOf = [{ when: [{ attribute: 'plan', operator: 'equals', value: 'staff' }] }]
const document = { format: 'signalbox-import/1', source: 'unleash', keys: [], leftOut: [] }

/** Every way to change configuration: what is there, and what is made or used by nothing yet. */
const allWrites = {
  ...writes,
  createEnvironment: {
    request: () => 'POST /environments',
    body: ({ name }) => ({ name: `${name}-new` }),
  },
  createConfigSchema: {
    request: () => 'POST /config-schemas',
    body: ({ name }) => ({ name: `${name}-new`, schema: {} }),
  },
  createSegment: {
    request: () => 'POST /segments',
    body: ({ name }) => ({ name: `${name}-new`, anyOf }),
  },
  deleteSegment: { request: ({ name }) => `DELETE /segments/${name}-unused` },
  importConfig: {
    request: () => 'POST /config-imports',
    body: ({ name }) => ({ schema: `${name}-new`, document }),
  },
} as const satisfies Record<string, Write>
type WriteName = keyof typeof allWrites
const everyWrite = Object.keys(allWrites).filter((name): name is WriteName => name in allWrites)

/** Stands for an environment or a schema that somebody adds later. */
const future = 'later'

/** Names what a person is granted: a role, in the environment and the schema of the request, in others, or everywhere. */
interface Given {
  readonly role: GrantRole
  readonly environments: 'own' | 'source' | 'both' | 'all'
  readonly schemas: 'own' | 'other' | 'all'
}

const given = (
  role: GrantRole,
  environments: Given['environments'],
  schemas: Given['schemas'],
): Given => ({ role, environments, schemas })

/** Describes a server key: its access, in the environments that it is made for. */
interface Key {
  readonly access: KeyAccess
  readonly environments: 'own' | 'both' | 'all'
}

const key = (access: KeyAccess, environments: Key['environments']): Key => ({
  access,
  environments,
})

type Granted = readonly [Role | Key, ...Given[]]

const people: Readonly<Record<string, Granted>> = {
  'a viewer': ['viewer'],
  'a developer': ['developer'],
  'an admin': ['admin'],
  'a viewer who develops in the environment': ['viewer', given('developer', 'own', 'all')],
  'a viewer who develops in another environment': ['viewer', given('developer', 'source', 'all')],
  'a viewer who develops the schema': ['viewer', given('developer', 'all', 'own')],
  'a viewer who develops another schema': ['viewer', given('developer', 'all', 'other')],
  'a viewer who develops everything': ['viewer', given('developer', 'all', 'all')],
  'a viewer who edits there': ['viewer', given('editor', 'own', 'own')],
  'a viewer who edits beside it, by two grants': [
    'viewer',
    given('editor', 'own', 'other'),
    given('editor', 'source', 'own'),
  ],
  'a viewer who reads secrets': ['viewer', given('reader', 'all', 'all')],
  'a viewer who administers the environment': ['viewer', given('admin', 'own', 'all')],
  'a viewer who administers the schema': ['viewer', given('admin', 'all', 'own')],
  'a viewer who administers the environment and the schema, by two grants': [
    'viewer',
    given('admin', 'own', 'all'),
    given('admin', 'all', 'own'),
  ],
  'a developer who administers everything': ['developer', given('admin', 'all', 'all')],
  'a key that reads': [key('read', 'all')],
  'a key that writes': [key('write', 'all')],
  'a key that writes there': [key('write', 'both')],
  'a key that edits there': [key('read', 'all'), given('editor', 'own', 'own')],
  'a key that edits beside it': [
    key('read', 'all'),
    given('editor', 'own', 'other'),
    given('editor', 'source', 'own'),
  ],
  'a key that develops the environment': [key('read', 'all'), given('developer', 'own', 'all')],
  'a key that develops everything': [key('read', 'all'), given('developer', 'all', 'all')],
  'a key that administers the schema': [key('read', 'all'), given('admin', 'all', 'own')],
  'a key of two environments that administers everything': [
    key('read', 'both'),
    given('admin', 'all', 'all'),
  ],
}

const developing = ['writeValues', 'writeSchemas', 'manageEnvironments']
const verbsOf: Readonly<Record<string, readonly string[]>> = {
  viewer: [],
  reader: [],
  editor: ['writeValues'],
  developer: developing,
  admin: [...developing, 'deleteConfig'],
}

/** Maps each write to its verb, and to what it is about: the environment or all of them, the schema or all of them. */
const needs: Readonly<Record<WriteName, readonly [string, 'own' | 'all', 'own' | 'all']>> = {
  createEnvironment: ['manageEnvironments', 'all', 'all'],
  createConfigSchema: ['writeSchemas', 'all', 'all'],
  createSegment: ['writeValues', 'all', 'all'],
  deleteSegment: ['deleteConfig', 'all', 'all'],
  importConfig: ['writeSchemas', 'all', 'all'],
  updateEnvironment: ['manageEnvironments', 'own', 'all'],
  deleteEnvironment: ['deleteConfig', 'all', 'all'],
  replaceConfigSchema: ['writeSchemas', 'all', 'own'],
  updateConfigSchema: ['writeSchemas', 'all', 'own'],
  deleteConfigSchema: ['deleteConfig', 'all', 'own'],
  setConfigValues: ['writeValues', 'own', 'own'],
  deleteConfigValues: ['writeValues', 'own', 'own'],
  promoteConfigValues: ['writeValues', 'own', 'own'],
  restoreConfigVersion: ['writeValues', 'own', 'own'],
  restoreConfigVersions: ['writeValues', 'own', 'own'],
  changeConfig: ['writeValues', 'own', 'own'],
  replaceSegment: ['writeValues', 'all', 'all'],
}

/** Decides by listing every single act that a person may do: an act, in one environment, on one schema. */
function expectAllowed(name: WriteName, [who, ...grants]: Granted) {
  const list = (some: string, all: readonly string[]) =>
    some === 'all' ? all : some === 'both' ? ['own', 'source'] : [some]
  const environments = ['own', 'source', future]
  const schemas = ['own', 'other', future]
  const [role, madeFor] =
    typeof who === 'string'
      ? [who, 'all']
      : [who.access === 'write' ? 'admin' : 'viewer', who.environments]
  const own = { role, environments: madeFor, schemas: 'all' }
  const allowed = [own, ...grants].map((each) => {
    const within = list(each.environments, environments).filter((environment) =>
      list(madeFor, environments).includes(environment),
    )
    const acts = (verbsOf[each.role] ?? []).flatMap((verb) =>
      within.flatMap((environment) =>
        list(each.schemas, schemas).map((schema) => `${verb} ${environment} ${schema}`),
      ),
    )
    return new Set(acts)
  })
  const [verb, ofEnvironment, ofSchema] = needs[name]
  const asked = list(ofEnvironment, environments).flatMap((environment) =>
    list(ofSchema, schemas).map((schema) => `${verb} ${environment} ${schema}`),
  )
  return allowed.some((acts) => asked.every((act) => acts.has(act)))
}

function toIds({ environmentId: own, source }: Writable) {
  return { own: [own], source: [source], both: [own, source], all: null }
}

function toGrants(writable: Writable, otherSchema: string, all: readonly Given[]): Grant[] {
  const environmentIds = toIds(writable)
  const schemaIds = { own: [writable.schemaId], other: [otherSchema], all: null }
  return all.map(({ role, environments, schemas }) => ({
    role,
    environmentIds: environmentIds[environments],
    schemaIds: schemaIds[schemas],
  }))
}

function toKey({ orgId }: ConfigApp, writable: Writable, { access, environments }: Key) {
  return buildKey(orgId, 'm2m', { access, environmentIds: toIds(writable)[environments] })
}

async function countVersions({ test }: ConfigApp): Promise<unknown> {
  return test.asOwner(`select (select count(*) from config_versions) as versions,
    (select count(*) from audit_events) as events, (select count(*) from environments) as environments`)
}

async function send(own: ConfigApp, name: WriteName, writable: Writable): Promise<number> {
  const { request, body }: Write = allWrites[name]
  return (await own.call('person', request(writable), body && { body: body(writable) })).status
}

describe('a member or a key that is granted a role in some environments and schemas', () => {
  it.each(everyWrite)('does %s where a grant says so, and nothing elsewhere', async (name) => {
    const wrong: string[] = []
    const own = await app.another()
    const other = await own.addSchema('other', { a: { type: 'string', tier: 'public' } })
    let writable = await makeWritable(own, `w${++made}`)
    for (const [who, [subject, ...given]] of Object.entries(people)) {
      const isAllowed = expectAllowed(name, [subject, ...given])
      const grants = toGrants(writable, other, given)
      if (typeof subject === 'string') own.setActor('person', own.person('person'), subject, grants)
      else own.setActor('person', toKey(own, writable, subject), undefined, grants)
      const unused = { name: `${writable.name}-unused`, anyOf }
      if (name === 'deleteSegment') await own.call('m2m', 'POST /segments', { body: unused })
      const before = await countVersions(own)
      const status = await send(own, name, writable)
      const isDone = status >= 200 && status < 300
      if (isDone !== isAllowed || (!isDone && status !== 403)) wrong.push(`${who}: ${status}`)
      if (isDone) writable = await makeWritable(own, `w${++made}`)
      else if (!isDeepStrictEqual(await countVersions(own), before)) wrong.push(`${who} changes`)
    }
    expect(wrong).toEqual([])
  })

  it('is asked at every endpoint that changes configuration', () => {
    const declared = Object.values({
      ...configMatrixEndpoints,
      ...configSchemaEndpoints,
      ...configValueEndpoints,
      ...configVersionEndpoints,
      ...environmentEndpoints,
      ...importEndpoints,
      ...segmentEndpoints,
    }).filter(({ method }) => method !== 'GET')
    const names = declared.map(({ operationId }) => operationId)
    expect(everyWrite.toSorted()).toEqual(names.toSorted())
  })

  it('control: the oracle allows some and refuses some of each write', () => {
    for (const name of everyWrite) {
      const answers = Object.values(people).map((person) => expectAllowed(name, person))
      expect([name, new Set(answers)]).toEqual([name, new Set([true, false])])
    }
  })
})

describe('a server key that reads everything and edits one environment', () => {
  let staging: string
  let schemaId: string
  const write = (environmentId: string, more: object = {}) => ({
    body: { schemaId, changes: [{ environmentId, set: { url: 'https://a.example' } }], ...more },
  })

  beforeAll(async () => {
    staging = await app.addEnvironment('edited')
    schemaId = await app.addSchema('edited', { url: { type: 'string', tier: 'public' } })
    const actor = buildKey(app.orgId, 'm2m', { access: 'read' })
    app.setActor('edits', actor, undefined, [
      { role: 'editor', environmentIds: [staging], schemaIds: null },
    ])
  })

  it('is refused elsewhere with the remedy, and tries there what a key that writes would do', async () => {
    const other = await app.addEnvironment('not-edited')
    const refused = await app.call('edits', 'POST /config-changes', write(other))
    expect(refused.body).toMatchObject({ status: 403, code: 'key_read_only' })
    expect(refused.body.detail).toContain('may not write values here. Let an admin give it a grant')
    await app.ok('edits', 'POST /config-changes', write(other, { dryRun: true }))
    await app.ok('edits', 'POST /config-changes', write(staging))
  })

  it('changes nothing that an environment inherits which it reads and does not edit', async () => {
    const child = await app.addEnvironment('edited-eu', staging)
    const body = { schemaId, environmentId: staging, values: { url: 'https://b.example' } }
    const refused = await app.call('edits', 'PUT /config-values', { body })
    expect(refused.body).toMatchObject({ status: 403, code: 'key_read_only' })
    // A key that is not made for the child does not know of it.
    const environmentIds = [staging]
    const own = buildKey(app.orgId, 'm2m', { access: 'read', environmentIds })
    app.setActor('own', own, undefined, [{ role: 'editor', environmentIds, schemaIds: null }])
    await app.ok('own', 'PUT /config-values', { body })
    const path = `/config-values?schemaId=${schemaId}&environmentId=${child}`
    expect((await app.call('own', `GET ${path}`)).body.code).toBe('key_scope_forbidden')
  })
})

describe('secrets of an environment that a person may not read', () => {
  let production: string
  let staging: string
  let schemaId: string
  const values = (environmentId: string) => `schemaId=${schemaId}&environmentId=${environmentId}`

  beforeAll(async () => {
    production = await app.addEnvironment('production')
    staging = await app.addEnvironment('staging')
    schemaId = await app.addSchema('web', {
      url: { type: 'string', tier: 'public' },
      token: { type: 'string' },
    })
    for (const environmentId of [production, staging]) {
      const body = {
        schemaId,
        environmentId,
        values: { url: 'https://a.example', token: 'canary' },
      }
      await app.ok('m2m', 'PUT /config-values', { body })
    }
    app.setActor('ada', app.person('ada'), 'viewer', [
      { role: 'developer', environmentIds: [staging], schemaIds: null },
      { role: 'editor', environmentIds: [production], schemaIds: null },
    ])
  })

  it('are not revealed, and those of another environment are', async () => {
    const shown = await app.ok('ada', `GET /config-values?${values(staging)}&reveal=true`)
    expect(shown.body.values.token.value).toBe('canary')
    const refused = await app.call('ada', `GET /config-values?${values(production)}&reveal=true`)
    expect(refused.body).toMatchObject({ status: 403, code: 'role_forbidden' })
    expect(refused.text).not.toContain('canary')
  })

  it('have no mark in the matrix, as a viewer sees them', async () => {
    const { body } = await app.ok('ada', `GET /config-matrix?schemaId=${schemaId}`)
    const { cells } = body.keys.find(({ key }: { key: string }) => key === 'token')
    const ids = body.environments.map(({ id }: { id: string }) => id)
    const cellOf = (id: string) => cells[ids.indexOf(id)]
    expect(cellOf(production)).not.toHaveProperty('mark')
    expect(cellOf(production).source).toBe('set')
    expect(cellOf(staging)).toHaveProperty('mark')
  })

  it('are not copied to where they may be read, by name or with everything', async () => {
    const pair = { schemaId, fromEnvironmentId: production, toEnvironmentId: staging }
    for (const chosen of [{ keys: ['token'] }, { include: ['secret'] }]) {
      const body = { ...pair, ...chosen, dryRun: true }
      const answer = await app.call('ada', 'POST /config-values/promote', { body })
      expect(answer.body).toMatchObject({ status: 403, code: 'role_forbidden' })
    }
  })

  it('are written, and the answer does not tell whether a guess is right', async () => {
    const guess = async (token: string) => {
      const body = {
        schemaId,
        changes: [{ environmentId: production, set: { token } }],
        dryRun: true,
      }
      return (await app.ok('ada', 'POST /config-changes', { body })).body.environments
    }
    expect(await guess('canary')).toEqual(await guess('wrong'))
    const body = { schemaId, fromEnvironmentId: production, toEnvironmentId: staging, dryRun: true }
    const promoted = async () =>
      (await app.ok('ada', 'POST /config-values/promote', { body })).body.leftOut
    const same = await promoted()
    const other = { schemaId, environmentId: staging, values: { token: 'another' } }
    await app.ok('ada', 'PUT /config-values', { body: other })
    expect(await promoted()).toEqual(same)
  })

  it('are not guessed by a version of the guess, compared with the one before', async () => {
    const list = async () =>
      (await app.ok('ada', `GET /config-versions?${values(production)}`)).body.items
    const [before] = await list()
    const changesOf = async (as: string, id: string, query = '') =>
      (await app.ok(as, `GET /config-versions/${id}${query}`)).body.changes
    const against = `?against=${before.id}`
    const guess = async (token: string) => {
      const body = { schemaId, environmentId: production, values: { token } }
      await app.ok('ada', 'PUT /config-values', { body })
      const [{ id }] = await list()
      return { id, shown: [await changesOf('ada', id), await changesOf('ada', id, against)] }
    }
    const right = await guess('canary')
    expect(right.shown).toEqual((await guess('wrong')).shown)
    // Control: a person who may read the secrets sees that it is the same.
    expect(await changesOf('admin', right.id, against)).toEqual([])
  })

  it('are not guessed by the plan of an import', async () => {
    const token = {
      key: 'token',
      from: 'token',
      type: 'string',
      tier: 'secret',
      verdict: 'exact',
      values: [{ environment: 'production', value: 'canary' }],
      issues: [],
    }
    const body = { schema: 'web', document: { ...document, keys: [token] }, dryRun: true }
    const refused = await app.call('ada', 'POST /config-imports', { body })
    expect(refused.body).toMatchObject({ status: 403, code: 'role_forbidden' })
    // Control: a person who may read them gets the plan.
    const plan = (await app.ok('developer', 'POST /config-imports', { body })).body
    expect(plan.keys).toMatchObject([{ key: 'token' }])
  })

  it('are not reached by making the environment the parent of another one', async () => {
    const path = `PATCH /environments/${staging}`
    const answer = await app.call('ada', path, { body: { parentId: production } })
    expect(answer.body).toMatchObject({ status: 403, code: 'role_forbidden' })
  })

  it('are not given another parent through an environment that they inherit from', async () => {
    const [own, between] = [await app.addEnvironment('own'), await app.addEnvironment('between')]
    const heir = await app.addEnvironment('heir', between)
    app.setActor('eve', app.person('eve'), 'viewer', [
      { role: 'developer', environmentIds: [own, between], schemaIds: null },
    ])
    const move = () =>
      app.call('eve', `PATCH /environments/${between}`, { body: { parentId: own } })
    expect((await move()).body).toMatchObject({ status: 403, code: 'role_forbidden' })
    app.setActor('eve', app.person('eve'), 'viewer', [
      { role: 'developer', environmentIds: [own, between, heir], schemaIds: null },
    ])
    expect((await move()).status).toBe(200)
  })

  it('are not changed through an environment that they are inherited from', async () => {
    const child = await app.addEnvironment('staging-eu', staging)
    const body = { schemaId, environmentId: staging, values: { url: 'https://b.example' } }
    const refused = await app.call('ada', 'PUT /config-values', { body })
    expect(refused.body).toMatchObject({ status: 403, code: 'role_forbidden' })
    app.setActor('ada', app.person('ada'), 'viewer', [
      { role: 'editor', environmentIds: [staging, child], schemaIds: null },
    ])
    await app.ok('ada', 'PUT /config-values', { body })
  })
})
