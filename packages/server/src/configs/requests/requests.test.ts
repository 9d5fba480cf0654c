import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeProtected, type Protected } from './testing/protected-app.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

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

describe('a write that needs approvals', () => {
  it('is refused with what it needs and the request to make, and changes nothing', async () => {
    const refused = await shop.set('ada', { title: 'Two', stripeKey: 'sk_live_2' })
    expect(refused.body).toMatchObject({
      status: 409,
      code: 'approval_required',
      requires: [{ environmentId: shop.production, environment: 'production', approvals: 1 }],
      request: {
        title: 'Change stripeKey and 1 more in production',
        operation: {
          kind: 'values',
          replace: false,
          body: { changes: [{ set: { title: 'Two', stripeKey: null } }] },
        },
      },
      omitted: ['/body/changes/0/set/stripeKey'],
    })
    expect(refused.text).not.toContain('sk_live_2')
    expect(await shop.read()).toMatchObject({ title: 'One' })
  })

  it('becomes a request where the sender prefers that, once for the same change', async () => {
    const [one, again] = [
      await shop.ask('ada', { title: 'Two' }),
      await shop.ask('ada', { title: 'Two' }),
    ]
    expect(one.status).toBe(202)
    expect(one.headers.get('preference-applied')).toBe('respond-async')
    expect(one.headers.get('location')).toBe(
      `/organizations/${app.orgId}/change-requests/${one.body.id}`,
    )
    expect(one.body).toMatchObject({
      number: 1,
      state: 'open',
      revision: 1,
      author: { name: 'ada', via: 'session' },
      environments: [{ name: 'production', approvals: { needed: 1, given: 0 } }],
      keys: [{ environmentId: shop.production, schemaId: shop.schemaId, key: 'title' }],
      effects: [{ key: 'title', before: { value: 'One' }, after: { value: 'Two' } }],
      may: { review: false, ownRequest: true, apply: false },
    })
    expect(again.body.id).toBe(one.body.id)
    expect(await shop.read()).toMatchObject({ title: 'One' })
  })

  it('is done at once where nobody needs to approve it', async () => {
    expect((await shop.set('ada', { title: 'Two' }, shop.staging)).status).toBe(200)
    const answer = await app.call('ada', 'PUT /config-values', {
      headers: { prefer: 'respond-async' },
      body: { schemaId: shop.schemaId, environmentId: shop.staging, values: { title: 'Three' } },
    })
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null])
  })

  it('is not refused as a dry run, which says what it would need', async () => {
    const { body } = await app.ok('ada', 'POST /config-changes', {
      body: {
        schemaId: shop.schemaId,
        changes: [{ environmentId: shop.production, set: { title: 'Two' } }],
        dryRun: true,
      },
    })
    const needed = [{ environment: 'production', approvals: 1, reasons: ['title'] }]
    expect(body.requires).toMatchObject(needed)
    const { title: _title, ...without } = shop.schema
    const pushed = await app.ok('ada', `PUT /config-schemas/${shop.schemaId}`, {
      body: { schema: without, force: true, dryRun: true },
    })
    expect(pushed.body.requires).toMatchObject(needed)
    await shop.set('ada', { title: 'Two' }, shop.staging)
    const promoted = await app.ok('ada', 'POST /config-values/promote', {
      body: {
        schemaId: shop.schemaId,
        fromEnvironmentId: shop.staging,
        toEnvironmentId: shop.production,
        dryRun: true,
      },
    })
    expect(promoted.body.requires).toMatchObject(needed)
  })

  it('needs none for a new key with a default, and some for one that returns with an old value', async () => {
    const put = (schema: object, more: object = {}) =>
      app.call('ada', `PUT /config-schemas/${shop.schemaId}`, { body: { schema, ...more } })
    expect((await put({ ...shop.schema, more: { ...shop.text, default: 'x' } })).status).toBe(200)
    const { title: _title, ...without } = { ...shop.schema, more: { ...shop.text, default: 'x' } }
    const removed = await put(without, { force: true })
    expect(removed.body).toMatchObject({
      code: 'approval_required',
      requires: [{ reasons: ['title'] }],
    })
    await shop.carryOut(removed.body.request)
    const returned = await put(
      { ...without, title: shop.text },
      { returning: { title: 'restore' } },
    )
    expect(returned.body.code).toBe('approval_required')
    const { body } = await app.ok('ada', 'POST /change-requests', { body: returned.body.request })
    const effect = { key: 'title', returns: true, after: { value: 'One' } }
    expect(body.effects).toMatchObject([effect, effect])
  })

  it('needs none to turn a kill switch off, unless the policy says so, and some to turn it on', async () => {
    const turn = (to: 'off' | 'on', flag = 'checkout') =>
      app.call('ada', 'POST /config-changes', {
        body: {
          schemaId: shop.schemaId,
          changes: [{ environmentId: shop.production, turn: { [flag]: to } }],
        },
      })
    expect((await turn('off', 'banner')).body.code).toBe('approval_required')
    expect((await turn('off')).status).toBe(200)
    expect((await turn('on')).body.code).toBe('approval_required')
    await app.ok('admin', `PATCH /environments/${shop.production}`, {
      body: { protection: { killSwitches: 'approved' } },
    })
    await shop.carryOut((await turn('on')).body.request)
    expect((await turn('off')).body.code).toBe('approval_required')
  })
})

describe('a request', () => {
  it('is applied once it has its approvals, by its author, as a version of its author', async () => {
    const { body } = await shop.ask('ada', { title: 'Two', stripeKey: 'sk_live_2' })
    const early = await app.call('ada', `POST /change-requests/${body.id}/apply`)
    expect(early.body.code).toBe('approval_required')
    expect((await shop.review('ben', body.id)).body).toMatchObject({
      state: 'approved',
      reviews: [{ member: { name: 'ben' }, counts: true }],
    })
    const applied = await app.ok('ada', `POST /change-requests/1/apply`)
    expect(applied.body).toMatchObject({
      state: 'applied',
      appliedVersions: [{ environmentId: shop.production, schemaId: shop.schemaId }],
    })
    expect(await shop.read()).toMatchObject({ title: 'Two', stripeKey: 'sk_live_2' })
    const again = await app.call('ada', `POST /change-requests/1/apply`)
    expect(again.body.code).toBe('conflict')
    expect(await shop.sealed()).toBe(0)
  })

  it('counts no approval of an author, of a viewer, of another revision, or of somebody who lost the right', async () => {
    const { body } = await shop.ask('ada', { title: 'Two' })
    expect((await shop.review('ada', body.id)).body.code).toBe('own_request')
    expect((await shop.review('vic', body.id)).body.code).toBe('role_forbidden')
    expect((await shop.review('ben', body.id, 'approve', 2)).body.code).toBe('revision_mismatch')
    for (const [as, code] of [
      ['token', 'session_required'],
      ['m2m', 'key_kind_forbidden'],
    ] as const) {
      expect((await shop.review(as, body.id)).body.code).toBe(code)
    }
    await shop.review('ben', body.id)
    await app.test.asOwner(
      `update members set role = 'viewer' where org_id = $1 and user_id = $2`,
      [app.orgId, shop.ids.ben],
    )
    expect((await app.ok('ada', `GET /change-requests/${body.id}`)).body).toMatchObject({
      state: 'open',
      environments: [{ approvals: { given: 0 } }],
    })
    expect((await app.call('ada', `POST /change-requests/${body.id}/apply`)).body.code).toBe(
      'approval_required',
    )
  })

  it('needs its approvals again after an edit, and whoever edits it is an author', async () => {
    const { body } = await shop.ask('ada', { title: 'Two', stripeKey: 'sk_live_2' })
    const approved = await shop.review('ben', body.id)
    const edited = { ...approved.body.operation }
    edited.body.changes[0].set.title = 'Three'
    const put = (as: string, headers: Record<string, string>) =>
      app.call(as, `PUT /change-requests/${body.id}`, {
        body: { title: 'Another title', operation: edited },
        headers,
      })
    expect((await put('ben', {})).body.code).toBe('invalid_header')
    expect((await put('ben', { 'if-match': '"1"' })).body.code).toBe('revision_mismatch')
    const { body: revised } = await put('ben', { 'if-match': `"${approved.body.version}"` })
    expect(revised).toMatchObject({ state: 'open', revision: 2, title: 'Another title' })
    expect(revised.reviews).toMatchObject([{ counts: false }])
    expect((await shop.review('ben', body.id, 'approve', 2)).body.code).toBe('own_request')
    await shop.review('cleo', body.id, 'approve', 2)
    await app.ok('ada', `POST /change-requests/${body.id}/apply`)
    // The secret that the edit sent back as null is the one from before.
    expect(await shop.read()).toMatchObject({ title: 'Three', stripeKey: 'sk_live_2' })
  })

  it('is held up by a decline until its reviewer takes it back', async () => {
    const { body } = await shop.ask('ada', { title: 'Two' })
    await shop.review('ben', body.id)
    expect((await shop.review('cleo', body.id, 'decline')).body.state).toBe('declined')
    expect((await app.call('ada', `POST /change-requests/${body.id}/apply`)).body.code).toBe(
      'approval_required',
    )
    expect((await shop.review('cleo', body.id, 'comment')).body.state).toBe('approved')
  })

  it('is not applied over what somebody has changed since, and is over what it does not touch', async () => {
    const [first, second] = [
      await shop.ask('ada', { title: 'Two' }),
      await shop.ask('cleo', { title: 'Other' }),
    ]
    const third = await shop.ask('ada', { subtitle: 'Below' })
    for (const { body } of [first, second, third]) await shop.review('ben', body.id)
    await app.ok('cleo', `POST /change-requests/${second.body.id}/apply`)
    const met = await app.call('ada', `POST /change-requests/${first.body.id}/apply`)
    expect(met.body).toMatchObject({
      code: 'conflict',
      conflicts: [
        // oxlint-disable-next-line unicorn/no-thenable -- a name of the contract
        { key: 'title', then: { value: 'One' }, now: { value: 'Other' }, by: { name: 'cleo' } },
      ],
    })
    expect(await shop.read()).toMatchObject({ title: 'Other' })
    expect((await app.ok('ada', `GET /change-requests/${first.body.id}`)).body).toMatchObject({
      state: 'open',
      conflict: [{ key: 'title' }],
    })
    await app.ok('ada', `POST /change-requests/${third.body.id}/apply`)
    expect(await shop.read()).toMatchObject({ title: 'Other', subtitle: 'Below' })
  })

  it('is overridden by an admin with a comment, and stays unseen until somebody else acknowledges it', async () => {
    const { body } = await shop.ask('ada', { title: 'Two' })
    const override = (as: string, comment = 'The shop is down') =>
      app.call(as, `POST /change-requests/${body.id}/override`, { body: { comment } })
    expect((await override('ben')).body.code).toBe('role_forbidden')
    expect((await override('dan', 'short')).body.code).toBe('validation_failed')
    expect((await override('dan')).body).toMatchObject({
      state: 'applied',
      overriddenBy: { member: { name: 'dan' }, comment: 'The shop is down', acknowledgedBy: null },
    })
    const acknowledge = (as: string) => app.call(as, `POST /change-requests/${body.id}/acknowledge`)
    expect((await acknowledge('dan')).body.code).toBe('own_request')
    expect((await acknowledge('ben')).body.overriddenBy.acknowledgedBy).toMatchObject({
      name: 'ben',
    })
    expect((await acknowledge('cleo')).body.code).toBe('conflict')
  })

  it('shows the marks of its secrets to those alone who may read them, and never a value', async () => {
    const { body, text } = await shop.ask('ada', { stripeKey: 'sk_live_2' })
    expect(body.effects).toMatchObject([
      {
        key: 'stripeKey',
        before: { secret: true, mark: expect.any(String) },
        after: { secret: true },
      },
    ])
    const seen = await app.ok('vic', `GET /change-requests/${body.id}`)
    expect(seen.body.effects).toMatchObject([{ before: { secret: true }, after: { secret: true } }])
    for (const answer of [text, seen.text]) expect(answer).not.toMatch(/sk_live|"mark":"".*/)
    expect(seen.text).not.toContain('"mark"')
  })

  it('that changes a policy into a weaker one needs the approvals from before', async () => {
    const weaken = await app.call('admin', `PATCH /environments/${shop.production}`, {
      body: { protection: { approvals: 0 } },
    })
    expect(weaken.body).toMatchObject({
      code: 'approval_required',
      request: { operation: { kind: 'environment', environmentId: shop.production } },
    })
    const stricter = { protection: { confirm: true } }
    await app.ok('admin', `PATCH /environments/${shop.production}`, { body: stricter })
  })

  it('that is planned leaves nothing in the memory of the service', async () => {
    const withKey = (key: string) => ({ ...shop.schema, [key]: { ...shop.text, default: 'x' } })
    const planned = { environmentId: shop.staging, set: { planned: 'set' } }
    const operations = [
      { kind: 'schema', schemaId: shop.schemaId, body: { schema: withKey('planned') } },
      { kind: 'values', body: { schemaId: shop.schemaId, changes: [planned] } },
    ]
    const body = { title: 'Plan', operation: { kind: 'apply', operations } }
    await app.ok('ada', 'POST /change-requests', { body })
    const schema = withKey('other')
    await app.ok('ada', `PUT /config-schemas/${shop.schemaId}`, { body: { schema } })
    expect((await shop.set('ada', { other: 'set' }, shop.staging)).status).toBe(200)
    const unknown = await shop.set('ada', { planned: 'set' }, shop.staging)
    expect(unknown.body.code).toBe('unknown_key')
  })

  it('of several operations is applied as one or not at all', async () => {
    const change = (environmentId: string, title: string) => ({
      kind: 'values',
      body: { schemaId: shop.schemaId, changes: [{ environmentId, set: { title } }] },
    })
    const operations = [change(shop.staging, 'S'), change(shop.production, 'P')]
    const asked = { title: 'Both', operation: { kind: 'apply', operations } }
    const { body } = await app.ok('ada', 'POST /change-requests', { body: asked })
    await shop.review('ben', body.id)
    await app.ok('ada', `POST /change-requests/${body.id}/apply`)
    expect(await shop.read()).toMatchObject({ title: 'P' })
    expect(await shop.read(shop.staging)).toMatchObject({ title: 'S' })
    const bad = {
      kind: 'apply',
      operations: [operations[0], change(shop.production, 'x'.repeat(70_000))],
    }
    const refused = await app.call('ada', 'POST /change-requests', {
      body: { title: 'Bad', operation: bad },
    })
    expect(refused.body.errors[0].pointer).toBe('/operation/operations/1/body/changes/0/set/title')
  })

  it('that expects nothing, or a wrong time, is refused', async () => {
    const operation = {
      kind: 'values',
      body: {
        schemaId: shop.schemaId,
        changes: [{ environmentId: shop.production, set: { title: 'One' } }],
      },
    }
    const post = (body: object) =>
      app.call('ada', 'POST /change-requests', { body: { title: 'T', operation, ...body } })
    expect((await post({})).body.errors).toMatchObject([{ pointer: '/operation' }])
    expect((await post({ applyAt: '2020-01-01T00:00:00Z' })).body.errors).toMatchObject([
      { pointer: '/applyAt' },
    ])
    expect((await post({ operation: { kind: 'nothing' } })).status).toBe(422)
  })
})
