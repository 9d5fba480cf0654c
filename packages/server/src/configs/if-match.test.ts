import {
  configSchemaEndpoints,
  configValueEndpoints,
  configVersionEndpoints,
  environmentEndpoints,
} from '@signalbox/contract/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openConfigApp, type ConfigApp } from './testing/open-config-app.ts'

let opened: ConfigApp
let app: ConfigApp
beforeAll(async () => {
  opened = await openConfigApp()
})
beforeEach(async () => {
  app = await opened.another()
})
afterAll(() => opened.close())

const key = { type: 'string', tier: 'public' } as const

/** Everything that a write needs, made anew for each. */
async function makeFixture(name: string) {
  const environmentId = await app.addEnvironment(name)
  const source = await app.addEnvironment(`${name}-source`)
  const schemaId = await app.addSchema(name, { a: key })
  for (const target of [environmentId, source]) {
    const body = { schemaId, environmentId: target, values: { a: target } }
    await app.ok('m2m', 'PUT /config-values', { body })
  }
  const query = `schemaId=${schemaId}&environmentId=${environmentId}`
  const { items } = (await app.ok('viewer', `GET /config-versions?${query}`)).body
  return { environmentId, source, schemaId, query, versionId: items[0].id }
}

type Fixture = Awaited<ReturnType<typeof makeFixture>>

interface Write {
  readonly request: (fixture: Fixture) => string
  readonly body?: (fixture: Fixture) => object
}

/** Every write to configuration, by its operation; `revision` 2 is what values are at, 1 the rest. */
const writes = {
  updateEnvironment: {
    request: ({ environmentId }) => `PATCH /environments/${environmentId}`,
    body: () => ({ description: 'Changed' }),
  },
  deleteEnvironment: {
    request: ({ environmentId }) => `DELETE /environments/${environmentId}?force=true`,
  },
  replaceConfigSchema: {
    request: ({ schemaId }) => `PUT /config-schemas/${schemaId}`,
    body: () => ({ schema: { a: key, b: key } }),
  },
  updateConfigSchema: {
    request: ({ schemaId }) => `PATCH /config-schemas/${schemaId}`,
    body: () => ({ description: 'Changed' }),
  },
  deleteConfigSchema: {
    request: ({ schemaId }) => `DELETE /config-schemas/${schemaId}?force=true`,
  },
  setConfigValues: {
    request: () => 'PUT /config-values',
    body: ({ schemaId, environmentId }) => ({ schemaId, environmentId, values: { a: 'changed' } }),
  },
  deleteConfigValues: { request: ({ query }) => `DELETE /config-values?${query}&key=a` },
  promoteConfigValues: {
    request: () => 'POST /config-values/promote',
    body: ({ schemaId, environmentId, source }) => ({
      schemaId,
      fromEnvironmentId: source,
      toEnvironmentId: environmentId,
    }),
  },
  restoreConfigVersion: {
    request: ({ versionId }) => `POST /config-versions/${versionId}/restore`,
    body: () => ({}),
  },
} as const satisfies Record<string, Write>

const operations = Object.keys(writes).filter((name): name is keyof typeof writes => name in writes)
const ofValues = /Values|Version/

describe('If-Match', () => {
  it('is declared by every write to configuration that is there already', () => {
    const changes = Object.values({
      ...environmentEndpoints,
      ...configSchemaEndpoints,
      ...configValueEndpoints,
      ...configVersionEndpoints,
    }).filter(({ method, operationId }) => method !== 'GET' && !operationId.startsWith('create'))
    const declared = changes
      .filter(({ problems }) => (problems as readonly string[]).includes('revision_mismatch'))
      .map(({ operationId }) => operationId)
    const all = changes.map(({ operationId }) => operationId)
    expect(declared).toEqual(all)
    expect(operations.toSorted()).toEqual([...all].toSorted())
  })

  it.each(operations)(
    'of %s is compared: 412 for a stale one, done for the present',
    async (name) => {
      const fixture = await makeFixture(name)
      const write: Write = writes[name]
      const current = ofValues.test(name) ? 2 : 1
      const call = (revision: number) =>
        app.call('admin', write.request(fixture), {
          headers: { 'if-match': `"${revision}"` },
          ...(write.body === undefined ? {} : { body: write.body(fixture) }),
        })
      const stale = await call(current + 1)
      expect(stale.body).toMatchObject({ status: 412, code: 'revision_mismatch' })
      expect((await call(current)).status).toBeLessThan(300)
    },
  )

  it('of an environment is in every answer about it, and counts its changes', async () => {
    const created = await app.ok('admin', 'POST /environments', { body: { name: 'counted' } })
    expect(created.headers.get('etag')).toBe('"1"')
    const path = `/environments/${created.body.id}`
    const change = (body: object) => app.ok('admin', `PATCH ${path}`, { body })
    const changed = await change({ production: true })
    expect(changed.body.revision).toBe(2)
    expect(changed.headers.get('etag')).toBe('"2"')
    expect((await change({ production: true })).body.revision).toBe(2)
    const read = await app.ok('viewer', `GET ${path}`)
    expect(read.headers.get('etag')).toBe('"2"')
    expect(read.body).toEqual(changed.body)
  })
})
