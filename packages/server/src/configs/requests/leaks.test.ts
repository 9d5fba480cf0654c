import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../crypto/ids.ts'
import type { UserActor } from '../../http/admission/actor.ts'
import { addMember } from '../testing/add-member.ts'
import { buildKey, openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'
import { asService } from './as-service.ts'
import { makeProtected, type Protected } from './testing/protected-app.ts'
import { createRequest } from './write-request.ts'

let opened: ConfigApp
let app: ConfigApp
let shop: Protected
beforeAll(async () => {
  opened = await openConfigApp()
})
beforeEach(async () => {
  app = await opened.another()
  shop = await makeProtected(app)
})
afterAll(() => opened.close())

const secret = { type: 'string', tier: 'secret' } as const

/** Returns a change of values in an environment. */
const change = (environmentId: string, of: object, schemaId = shop.schemaId) => ({
  kind: 'values',
  body: { schemaId, changes: [{ environmentId, ...of }] },
})
const ask = (as: string, operation: object) =>
  app.call(as, 'POST /change-requests', { body: { title: 'A change', operation } })
const revise = (as: string, { id, version }: { id: string; version: number }, operation: object) =>
  app.call(as, `PUT /change-requests/${id}`, {
    body: { title: 'Another', operation },
    headers: { 'if-match': `"${version}"` },
  })
const apply = (as: string, id: string) => app.call(as, `POST /change-requests/${id}/apply`)

/** Adds a member who may write in staging alone. */
async function addOfStaging(): Promise<void> {
  const userId = await addMember(app, 'eve', 'viewer')
  const actor: UserActor = {
    ...app.person('eve'),
    userId,
    via: 'session',
    authenticatedAt: new Date(),
  }
  app.setActor('eve', actor, 'viewer', [
    { role: 'developer', environmentIds: [shop.staging], schemaIds: null },
  ])
}

describe('a request gets past nobody', () => {
  it('by a policy that has become stricter since it was made', async () => {
    const { body } = await ask('ada', change(shop.production, { turn: { checkout: 'off' } }))
    expect(body).toMatchObject({ state: 'approved', effects: [{ free: true }] })
    await app.ok('admin', `PATCH /environments/${shop.production}`, {
      body: { protection: { killSwitches: 'approved' } },
    })
    expect((await apply('ada', body.id)).body.code).toBe('approval_required')
    const { body: seen } = await app.ok('ada', `GET /change-requests/${body.id}`)
    expect(seen.state).toBe('open')
    expect(seen.effects[0]).not.toHaveProperty('free')
    await shop.review('ben', body.id)
    expect((await apply('ada', body.id)).status).toBe(200)
  })

  it('by a segment that says something else since it was approved', async () => {
    const segment = (attribute: string) => ({
      anyOf: [{ when: [{ attribute, operator: 'equals', value: 'staff' }] }],
    })
    await app.ok('ada', 'POST /segments', { body: { name: 'testers', ...segment('plan') } })
    const rules = { banner: [{ when: [{ operator: 'segment', segment: 'testers' }], serve: true }] }
    const operation = change(shop.production, { set: { banner: false }, rules })
    const { body, text } = await ask('ada', operation)
    expect(text).not.toContain('igest')
    await shop.review('ben', body.id)
    await app.ok('ada', 'PUT /segments/testers', { body: segment('team') })
    const refused = await apply('ada', body.id)
    expect(refused.body).toMatchObject({ code: 'conflict' })
    expect(await shop.read()).toMatchObject({ banner: true })
    const { body: asked } = await app.ok('ada', `GET /change-requests/${body.id}`)
    const { body: again } = await revise('ada', asked, operation)
    await shop.review('ben', body.id, 'approve', again.revision)
    expect((await apply('ada', body.id)).status).toBe(200)
  })

  it('by the API key of whoever approves it', async () => {
    const keyId = newId('key', new Date())
    app.setActor('key', Object.assign(buildKey(app.orgId, 'm2m'), { keyId }))
    await app.test.asOwner(
      `insert into api_keys (org_id, id, name, kind, created_by) values ($1, $2, 'CI', 'm2m', $3)`,
      [app.orgId, keyId, JSON.stringify({ type: 'user', id: shop.ids.ada, name: 'ada' })],
    )
    const { body } = await shop.ask('key', { title: 'Two' })
    expect((await shop.review('ada', body.id)).body.code).toBe('own_request')
    expect((await shop.review('ben', body.id)).body.state).toBe('approved')
    expect((await apply('key', body.id)).status).toBe(200)
  })

  it('by somebody who may write elsewhere alone', async () => {
    await addOfStaging()
    const { body } = await shop.ask('ada', { title: 'Two' })
    const revised = await revise('eve', body, change(shop.staging, { set: { title: 'Two' } }))
    expect(revised.body.code).toBe('role_forbidden')
    const applyAt = new Date(Date.now() + 60_000).toISOString()
    const schedule = (as: string) =>
      app.call(as, `POST /change-requests/${body.id}/schedule`, { body: { applyAt } })
    await app.test.asOwner(
      `update change_request_revisions set author_id = $2 where org_id = $1 and request_id = $3`,
      [app.orgId, await idOf('eve'), body.id],
    )
    expect((await schedule('eve')).body.code).toBe('role_forbidden')
    expect((await schedule('dan')).status).toBe(200)
  })
})

async function idOf(name: string): Promise<string | undefined> {
  const rows = await app.test.asOwner<{ id: string }>(
    'select u.id from users u join members m on m.user_id = u.id where m.org_id = $1 and u.name = $2',
    [app.orgId, name],
  )
  return rows[0]?.id
}

describe('the secrets of a request', () => {
  it('are kept by a revision for the same key of the same environment and schema alone', async () => {
    const other = await app.addSchema('other', { stripeKey: { type: 'string', tier: 'public' } })
    const { body } = await shop.ask('ada', { stripeKey: 'sk_live_2' })
    const moved = [
      change(shop.staging, { set: { stripeKey: null } }),
      change(shop.production, { set: { stripeKey: null } }, other),
    ]
    for (const operation of moved) {
      const answer = await revise('ben', body, operation)
      expect(answer.body.errors).toMatchObject([
        { pointer: '/operation/body/changes/0/set/stripeKey', code: 'type_mismatch' },
      ])
    }
    const kept = change(shop.production, { set: { stripeKey: null, title: 'Two' } })
    expect((await revise('ben', body, kept)).status).toBe(200)
    await shop.review('cleo', body.id, 'approve', 2)
    await apply('ada', body.id)
    expect(await shop.read()).toMatchObject({ stripeKey: 'sk_live_2', title: 'Two' })
  })

  it('are not kept for a schema that declares their key no secret', async () => {
    const schema = (declared: object, value: string | null, of = shop.schemaId) => ({
      kind: 'schema',
      schemaId: of,
      body: {
        schema: { ...shop.schema, stripeKey: declared },
        values: [{ environmentId: shop.production, set: { stripeKey: value } }],
        exposeKeys: ['stripeKey'],
      },
    })
    const { body } = await ask('dan', schema({ ...secret, default: 'sk_default' }, 'sk_live_9'))
    expect(body.omitted).toEqual(['/body/schema/stripeKey/default', '/body/values/0/set/stripeKey'])
    const other = await app.addSchema('other', shop.schema)
    for (const operation of [
      schema({ type: 'string', tier: 'public', default: null }, null),
      schema({ ...secret, default: null }, null, other),
    ]) {
      const answer = await revise('dan', body, operation)
      expect(answer.status).toBe(422)
      expect(answer.text).not.toMatch(/sk_default|sk_live/)
    }
  })

  it('are left out too where another operation of it declares them', async () => {
    const schema = {
      kind: 'schema',
      schemaId: shop.schemaId,
      body: { schema: { ...shop.schema, title: secret } },
    }
    const set = change(shop.production, { set: { title: 'hush-hush' } })
    for (const operations of [
      [schema, set],
      [set, schema],
    ]) {
      const { status, text, body } = await ask('ada', { kind: 'apply', operations })
      expect(status).toBe(201)
      expect(body.omitted).toHaveLength(1)
      expect(text).not.toContain('hush-hush')
    }
  })

  it('are hidden when a key becomes one, also where they change nothing', async () => {
    const { body } = await ask(
      'ada',
      change(shop.production, { set: { title: 'One', subtitle: 'Below' } }),
    )
    const other = await ask('ada', change(shop.production, { set: { subtitle: 'Under' } }))
    expect(body.effects).toHaveLength(1)
    await app.test.asOwner('update environments set approvals = 0 where org_id = $1', [app.orgId])
    await app.ok('ada', `PUT /config-schemas/${shop.schemaId}`, {
      body: { schema: { ...shop.schema, title: secret } },
    })
    const { text } = await app.ok('vic', `GET /change-requests/${body.id}`)
    expect(text).not.toContain('"One"')
    expect(text).toContain('"Below"')
    expect((await app.ok('vic', `GET /change-requests/${other.body.id}`)).body.operation).toEqual(
      change(shop.production, { set: { subtitle: 'Under' } }),
    )
  })
})

describe('a secret that a request sets', () => {
  it('stays hidden although its key has become public since', async () => {
    const { body } = await shop.ask('ada', { stripeKey: 'sk_live_2' })
    await app.test.asOwner('update environments set approvals = 0 where org_id = $1', [app.orgId])
    await app.ok('ada', `PUT /config-schemas/${shop.schemaId}`, {
      body: {
        schema: { ...shop.schema, stripeKey: shop.text },
        exposeKeys: ['stripeKey'],
        allowPlain: ['stripeKey'],
      },
    })
    const now = await app.ok('vic', `GET /change-requests/${body.id}/effects?against=now`)
    expect(now.text).not.toContain('sk_live_2')
    expect(now.body.effects).toMatchObject([{ key: 'stripeKey', after: { secret: true } }])
  })
})

describe('a key for one environment', () => {
  it('sees nothing of a request that reaches further by now', async () => {
    app.setActor('key', buildKey(app.orgId, 'm2m', { environmentIds: [shop.production] }))
    const { body } = await shop.ask('key', { title: 'Two' })
    const now = `GET /change-requests/${body.id}/effects?against=now`
    expect((await app.call('key', now)).status).toBe(200)
    await app.addEnvironment('child', shop.production)
    expect((await app.call('key', now)).status).toBe(404)
    await shop.review('ben', body.id)
    const met = await apply('key', body.id)
    expect(met.body).toMatchObject({ code: 'conflict', conflicts: [] })
    expect((await app.call('key', `GET /change-requests/${body.id}`)).status).toBe(404)
    expect((await app.ok('ada', `GET /change-requests/${body.id}`)).body.conflict).toHaveLength(1)
  })

  it('lists all that it reaches, behind pages of what it does not', async () => {
    app.setActor('key', buildKey(app.orgId, 'm2m', { environmentIds: [shop.production] }))
    for (const title of ['Two', 'Three']) await shop.ask('ada', { title })
    for (const title of ['A', 'B', 'C']) await ask('ada', change(shop.staging, { set: { title } }))
    const first = await app.ok('key', 'GET /change-requests?limit=1')
    expect(first.body.items).toMatchObject([{ number: 2 }])
    const next = `GET /change-requests?limit=1&cursor=${first.body.nextCursor}`
    expect((await app.ok('key', next)).body).toMatchObject({
      items: [{ number: 1 }],
      nextCursor: null,
    })
  })
})

describe('an operation with replace', () => {
  it('is refused with what it would leave out', async () => {
    const operation = { ...change(shop.production, { unset: ['title'] }), replace: false }
    expect((await ask('ada', operation)).body.errors).toMatchObject([
      { pointer: '/operation/body/changes', code: 'validation_failed' },
    ])
  })
})

describe('a key that becomes a secret while a request about it is planned', () => {
  it('is shown by the request as a secret', async () => {
    const { orgId } = app
    const schema = { ...shop.schema, title: { type: 'string', tier: 'secret' } }
    let count = 0
    const transaction: typeof app.deps.store.transaction = async (scope, work) => {
      count += 1
      // The second transaction stores what the first one has planned.
      if (count === 2) {
        await app.test.asOwner('update environments set approvals = 0 where org_id = $1', [orgId])
        await app.ok('ada', `PUT /config-schemas/${shop.schemaId}`, { body: { schema } })
      }
      return app.deps.store.transaction(scope, work)
    }
    const store = { ...app.deps.store, announce: () => undefined, transaction }
    const changes = [{ environmentId: shop.production, set: { title: 'not for everybody' } }]
    const body = { schemaId: shop.schemaId, changes }
    const caller = asService({ author: { type: 'user', id: shop.ids.ada, name: 'ada' } }, orgId)
    const { request } = await createRequest({ ...app.deps, store }, caller, {
      title: 'Race',
      operation: { kind: 'values', body },
      authorizeReveal: () => undefined,
    })
    expect(count).toBe(2)
    const { text } = await app.ok('vic', `GET /change-requests/${request.id}`)
    expect(text).not.toMatch(/not for everybody|"One"/)
  })
})
