import { unprotected } from '@signalbox/contract'
import {
  configMatrixEndpoints,
  configSchemaEndpoints,
  configValueEndpoints,
  configVersionEndpoints,
  environmentEndpoints,
  segmentEndpoints,
} from '@signalbox/contract/rest'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import {
  everyWrite,
  makeWritable,
  writes,
  type Writable,
  type Write,
} from '../testing/every-write.ts'
import { buildKey, openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let opened: ConfigApp
let app: ConfigApp
beforeAll(async () => {
  opened = await openConfigApp()
})
// A schema is published in every environment, so those of other tests would ask as well.
beforeEach(async () => {
  app = await opened.another()
})
afterAll(() => opened.close())

const key = { type: 'string', tier: 'public' } as const
const flag = { type: 'boolean' } as const
const both = { confirm: true, comment: true }
/** Holds what a requirement says where nobody has to approve. */
const people = { approvals: 0, reasons: [] }

const protect = (environmentId: string, protection: object, more: object = {}, as = 'admin') =>
  app.call(as, `PATCH /environments/${environmentId}`, { body: { protection, ...more } })

/** Makes what a write needs, protected. */
async function makeFixture(name: string) {
  const fixture = await makeWritable(app, name)
  expect((await protect(fixture.environmentId, both)).status).toBe(200)
  return fixture
}

const codes: ReadonlySet<string> = new Set(['confirmation_required', 'comment_required'])

/** Sends a write with its confirmation in the body, or in the query when the request has no body. */
function call(as: string, write: Write, fixture: Writable, confirmation: Record<string, string>) {
  const request = write.request(fixture)
  const body = write.body?.(fixture)
  if (body !== undefined) return app.call(as, request, { body: { ...body, ...confirmation } })
  const query = new URLSearchParams(confirmation).toString()
  return app.call(as, query === '' ? request : `${request}&${query}`)
}

describe('a protected environment', () => {
  it('is protected from every write to configuration that is there already', () => {
    const declared = Object.values({
      ...environmentEndpoints,
      ...configSchemaEndpoints,
      ...configValueEndpoints,
      ...configVersionEndpoints,
      ...configMatrixEndpoints,
      // Only a segment that nothing uses is deleted.
      replaceSegment: segmentEndpoints.replaceSegment,
    })
      .filter(({ method, operationId }) => method !== 'GET' && !operationId.startsWith('create'))
      .map(({ operationId, problems }) => {
        return { operationId, asks: problems.filter((code) => codes.has(code)).length }
      })
    expect(declared).toEqual(declared.map(({ operationId }) => ({ operationId, asks: 2 })))
    expect(everyWrite.toSorted()).toEqual(declared.map((entry) => entry.operationId).toSorted())
  })

  it.each(everyWrite)('is changed by %s only with its name and a reason', async (name) => {
    const fixture = await makeFixture(name)
    const write: Write = writes[name]
    const field = write.body === undefined ? '?' : '/'
    const requires = [
      { environmentId: fixture.environmentId, environment: fixture.name, ...both, ...people },
    ]
    const isRefused = async (
      as: string,
      confirmation: Record<string, string>,
      pointers: string[],
    ) => {
      await expectNoEvent(app.test, async () => {
        const refused = await call(as, write, fixture, confirmation)
        const expected = pointers.map((pointer) => ({
          pointer: `${field}${pointer}`,
          code: pointer === 'confirm' ? 'confirmation_required' : 'comment_required',
        }))
        expect(refused.body).toMatchObject({
          status: 409,
          code: expected[0]?.code,
          errors: expected,
          requires,
        })
      })
    }
    for (const as of ['owner', 'm2m', 'bootstrap']) await isRefused(as, {}, ['confirm', 'comment'])
    await isRefused('admin', { confirm: 'another', comment: 'Why' }, ['confirm'])
    await isRefused('admin', { confirm: fixture.name.toUpperCase(), comment: 'Why' }, ['confirm'])
    await isRefused('admin', { confirm: fixture.name, comment: '  ' }, ['comment'])
    const done = await call('admin', write, fixture, { confirm: fixture.name, comment: 'Because' })
    expect(done.status).toBeLessThan(300)
  })

  it('is neither renamed nor moved without them while no schema is published in it', async () => {
    const id = await app.addEnvironment('unread')
    await protect(id, both)
    const off = { confirm: false, comment: false }
    for (const change of [
      { name: 'open', protection: off },
      { parentId: await app.addEnvironment('above') },
    ]) {
      const { body } = await app.call('owner', `PATCH /environments/${id}`, { body: change })
      expect([change, body.code]).toEqual([change, 'confirmation_required'])
    }
  })

  it('is not changed through an environment that it inherits from', async () => {
    const above = await app.addEnvironment('above')
    const below = await app.addEnvironment('below', above)
    const id = await app.addSchema('inherited', { a: key, b: key })
    await app.ok('m2m', 'PUT /config-values', {
      body: { schemaId: id, environmentId: below, values: { b: 'own' } },
    })
    await protect(below, { confirm: true })
    const set = (values: object, confirm: readonly string[]) =>
      app.call('developer', 'PUT /config-values', {
        body: { schemaId: id, environmentId: above, values, confirm },
      })
    expect((await set({ a: 'x' }, ['above'])).body).toMatchObject({
      code: 'confirmation_required',
      requires: [{ environmentId: below, environment: 'below', confirm: true, comment: false }],
    })
    expect((await set({ a: 'x' }, ['below'])).status).toBe(200)
    // The values that it sets itself stay as they are, so no confirmation is required.
    expect((await set({ b: 'x' }, [])).status).toBe(200)
  })

  it('needs no confirmation of a change that leaves it the same', async () => {
    const fixture = await makeFixture('unmoved')
    const set = (environmentId: string, a: string) =>
      app.call('developer', 'PUT /config-values', {
        body: { schemaId: fixture.schemaId, environmentId, values: { a } },
      })
    expect((await set(fixture.source, 'elsewhere')).status).toBe(200)
    expect((await set(fixture.environmentId, 'second')).status).toBe(200)
    const described = await app.call('developer', `PATCH /environments/${fixture.environmentId}`, {
      body: { description: 'Only words' },
    })
    expect(described.status).toBe(200)
    await app.addSchema('first-of-all', { a: { ...key, default: 'd' } })
  })

  it('tells in a dry run what it asks for, instead of refusing', async () => {
    const fixture = await makeFixture('asked')
    const looked = await app.ok('developer', 'POST /config-changes', {
      body: {
        schemaId: fixture.schemaId,
        changes: [
          { environmentId: fixture.environmentId, set: { a: 'x' } },
          { environmentId: fixture.source, set: { a: 'x' } },
        ],
        dryRun: true,
      },
    })
    expect(looked.body.requires).toEqual([
      { environmentId: fixture.environmentId, environment: 'asked', ...both, ...people },
    ])
    const values = {
      schemaId: fixture.schemaId,
      environmentId: fixture.environmentId,
      values: { a: 'x' },
    }
    const dry = await app.call('developer', 'PUT /config-values', {
      body: { ...values, dryRun: true },
    })
    expect(dry.status).toBe(200)
  })

  it('keeps the reason with the version, or with the event where there is none', async () => {
    const fixture = await makeFixture('explained')
    const confirmation = { confirm: 'explained', comment: 'PAY-225' }
    await app.ok('developer', `PUT /config-schemas/${fixture.schemaId}`, {
      body: { schema: { a: key, b: { ...key, default: 'new' }, flag }, ...confirmation },
    })
    const { items } = (await app.ok('viewer', `GET /config-versions?${fixture.query}`)).body
    expect(items[0]).toMatchObject({ kind: 'schema', comment: 'PAY-225' })
    const event = await expectOneEvent(app.test, 'environment.deleted', () =>
      call('admin', writes.deleteEnvironment, fixture, confirmation),
    )
    expect(event.detail).toMatchObject({ comment: 'PAY-225' })
  })
})

describe('the protection of an environment', () => {
  it('is off at first, and shown with the environment', async () => {
    const created = await app.ok('developer', 'POST /environments', { body: { name: 'fresh' } })
    expect(created.body.protection).toEqual(unprotected)
    const guarded = await app.ok('developer', 'POST /environments', {
      body: { name: 'guarded', protection: { confirm: true } },
    })
    expect(guarded.body.protection).toEqual({ ...unprotected, confirm: true })
    const { items } = (await app.ok('viewer', 'GET /environments')).body
    expect(items).toContainEqual(guarded.body)
  })

  it('is changed by admins and owners alone, field by field', async () => {
    const id = await app.addEnvironment('ruled')
    for (const [as, code] of [
      ['developer', 'role_forbidden'],
      ['m2m', 'key_kind_forbidden'],
    ] as const) {
      expect((await protect(id, { confirm: true }, {}, as)).body.code).toBe(code)
    }
    expect((await protect(id, { confirm: true })).body.protection).toEqual({
      ...unprotected,
      confirm: true,
    })
    expect((await protect(id, { comment: true }, {}, 'owner')).body.protection).toEqual({
      ...unprotected,
      ...both,
    })
    // Naming what it is already is no change.
    expect((await protect(id, both, { description: 'x' }, 'developer')).status).toBe(200)
  })

  it('is weakened only with the confirmation that it requires, and the audit log records it', async () => {
    const id = await app.addEnvironment('weakened')
    await protect(id, both)
    expect((await protect(id, { confirm: false })).body.code).toBe('confirmation_required')
    const event = await expectOneEvent(app.test, 'environment.updated', () =>
      protect(id, { confirm: false, comment: false }, { confirm: 'weakened', comment: 'Tests' }),
    )
    expect(event).toMatchObject({
      actor: { name: 'admin' },
      detail: {
        fields: ['protection'],
        protection: { before: { ...unprotected, ...both }, after: unprotected },
        comment: 'Tests',
      },
    })
  })

  it('holds for a key that is restricted to the environment as well', async () => {
    const fixture = await makeFixture('narrowed')
    app.setActor('narrow', buildKey(app.orgId, 'm2m', { environmentIds: [fixture.environmentId] }))
    const refused = await call('narrow', writes.setConfigValues, fixture, {})
    expect(refused.body.code).toBe('confirmation_required')
  })
})
