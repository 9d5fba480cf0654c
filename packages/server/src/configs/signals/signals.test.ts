import { defaultProof, limits } from '@signalbox/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectNoEvent, expectOneEvent } from '../../audit/testing/expect-audit.ts'
import { hashToken } from '../../crypto/tokens.ts'
import { addMember } from '../testing/add-member.ts'
import { openConfigApp, type ConfigApp } from '../testing/open-config-app.ts'

let opened: ConfigApp
let app: ConfigApp
beforeAll(async () => {
  opened = await openConfigApp()
})
beforeEach(async () => {
  app = await opened.another()
})
afterAll(() => opened.close())

const url = 'https://prometheus.example.com/planted-path?key=planted-query'
const query = 'sum(rate(errors{env="{environment}"}[5m]))'
const prometheus = { kind: 'prometheus', url, query, above: 2 } as const
const authorization = 'Bearer planted-header'
const tests = { kind: 'tests', repository: 'acme/shop', workflow: 'e2e.yml' } as const

const create = (body: object, as = 'admin') => app.call(as, 'POST /signals', { body })
const change = (id: string, body: object, headers?: Readonly<Record<string, string>>) =>
  app.call('admin', `PATCH /signals/${id}`, { body, ...(headers && { headers }) })
async function add(name: string, spec: object, more: object = {}) {
  const { status, body } = await create({ name, spec, ...more })
  expect([status, body]).toEqual([201, expect.anything()])
  return body
}
const watchWith = (environmentId: string, id: string, more: object = {}) =>
  app.ok('admin', `PATCH /environments/${environmentId}`, {
    body: { protection: { prove: { ...defaultProof, signals: [id] }, ...more } },
  })

/** Returns what the table holds, as a text. */
async function storedText(): Promise<string> {
  const rows = await app.test.asOwner(
    `select s::text as text from signals s where org_id = $1
      union all select e::text from audit_events e where org_id = $1
      union all select r::text from change_request_revisions r where org_id = $1`,
    [app.orgId],
  )
  return JSON.stringify(rows)
}

describe('a signal', () => {
  it('is created by admins alone, shows its secret once, and stores the hash of it', async () => {
    for (const as of ['developer', 'viewer', 'm2m'])
      expect((await create({ name: 'alerts', spec: { kind: 'alert' } }, as)).status).toBe(403)
    const event = await expectOneEvent(app.test, 'signal.created', async () => {
      const made = await add('alerts', { kind: 'alert' })
      expect(made).toMatchObject({
        kind: 'alert',
        address: `https://signalbox.example.com/signals/${made.id}`,
        hasCredential: false,
        last: null,
        usedBy: [],
        revision: 1,
        createdBy: { type: 'user', name: 'admin' },
      })
      expect(made.secret).toMatch(/^[\w-]{43}$/)
      const [row] = await app.test.asOwner<{ hash: Buffer }>(
        'select secret_hash as hash from signals where id = $1',
        [made.id],
      )
      expect(row?.hash).toEqual(hashToken(made.secret))
      const shown = await app.ok('admin', `GET /signals/${made.id}`)
      expect(shown.body).not.toHaveProperty('secret')
      expect(shown.headers.get('etag')).toBe('"1"')
    })
    expect(event).toMatchObject({
      target: { type: 'signal', name: 'alerts' },
      detail: { kind: 'alert' },
    })
  })

  it('shows where it reads to admins alone, and what it sends along to nobody', async () => {
    const made = await add('errors', prometheus, { authorization })
    expect(made).toMatchObject({
      spec: prometheus,
      hasCredential: true,
      address: null,
      secret: null,
    })
    for (const as of ['admin', 'developer', 'viewer']) {
      for (const path of ['GET /signals', `GET /signals/${made.id}`]) {
        const { text } = await app.ok(as, path)
        expect(text).not.toContain('planted-header')
        expect(text.includes('planted-path')).toBe(as === 'admin')
      }
    }
    expect((await app.call('stranger', `GET /signals/${made.id}`)).status).toBe(404)
    const toKey = await app.ok('m2m', 'GET /signals')
    expect(toKey.text).toContain(made.id)
    expect(toKey.text).not.toContain('planted')
    const stored = await storedText()
    expect(stored).toContain('planted-path')
    expect(stored).not.toContain('planted-header')
  })

  it('is listed by name, page by page', async () => {
    for (const name of ['Beta', 'alpha', 'gamma']) await add(name, { kind: 'alert' })
    const first = (await app.ok('viewer', 'GET /signals?limit=2')).body
    expect(first.items.map(({ name }: { name: string }) => name)).toEqual(['alpha', 'Beta'])
    const rest = (await app.ok('viewer', `GET /signals?limit=2&cursor=${first.nextCursor}`)).body
    expect(rest.items.map(({ name }: { name: string }) => name)).toEqual(['gamma'])
  })

  it.each([
    [{ ...prometheus, above: undefined }, '/spec/above'],
    [{ ...prometheus, above: 1, below: 2 }, '/spec/above'],
    [{ ...prometheus, query: 'up{flag}' }, '/spec/query'],
    [{ ...prometheus, query: 'up{env="{enviroment}"}' }, '/spec/query'],
    [{ ...prometheus, url: 'http://prometheus.example.com' }, '/spec/url'],
    [{ ...prometheus, url: 'https://10.0.0.1' }, '/spec/url'],
    [{ ...prometheus, url: 'https://[::1]/' }, '/spec/url'],
    [{ kind: 'http', url: 'https://169.254.169.254/latest', expect: '2xx' }, '/spec/url'],
    [
      { kind: 'http', url: 'https://shop.example.com', expect: { pointer: '/a' } },
      '/spec/expect/above',
    ],
    [{ kind: 'alert', format: 'sentry' }, '/clientSecret'],
  ])('is refused as %o, with the place and the remedy, and not stored', async (spec, pointer) => {
    await expectNoEvent(app.test, async () => {
      const { status, body } = await create({ name: 'bad', spec })
      expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer })]])
      expect(body.errors[0].detail).toMatch(/\.$/)
    })
    expect((await app.ok('admin', 'GET /signals')).body.items).toEqual([])
  })

  it.each([
    [{ kind: 'alert' }, { authorization }, '/authorization'],
    [tests, { clientSecret: 'a-client-secret' }, '/clientSecret'],
    [prometheus, { clientSecret: 'a-client-secret' }, '/clientSecret'],
  ])('of %o takes no foreign credential', async (spec, more, pointer) => {
    const { status, body } = await create({ name: 'bad', spec, ...more })
    expect([status, body.errors[0].pointer]).toEqual([422, pointer])
  })

  it('has a name of its own in any case of its letters, and there is a limit', async () => {
    const { id } = await add('errors', { kind: 'alert' })
    expect((await create({ name: 'Errors', spec: tests })).body.code).toBe('already_exists')
    expect((await change(id, { name: 'ERRORS' })).status).toBe(200)
    await app.test.asOwner(
      `insert into signals (org_id, id, name, kind, spec, created_at, updated_at, created_by)
        select org_id, 'sig_' || n || org_id, 'more ' || n, kind, spec, now(), now(), created_by
        from signals, generate_series(2, $2::integer) n where id = $1`,
      [id, limits.signalsPerOrganization],
    )
    expect((await create({ name: 'one more', spec: tests })).body.code).toBe('quota_exceeded')
    expect((await change(id, { name: 'renamed' })).status).toBe(200)
  })

  it('keeps its header for its server: on another one it has to be sent again', async () => {
    const { id } = await add('errors', prometheus, { authorization })
    const spec = { ...prometheus, url: 'https://evil.example.com' }
    const refused = await change(id, { spec })
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/authorization'])
    expect((await change(id, { spec: { ...prometheus, url: `${url}2` } })).status).toBe(200)
    expect((await change(id, { spec, authorization: null })).body.hasCredential).toBe(false)
    expect((await change(id, { spec: prometheus })).status).toBe(200)
  })

  it('keeps its kind and format', async () => {
    const { id } = await add('alerts', { kind: 'alert' })
    for (const [spec, more, pointer] of [
      [tests, {}, '/spec/kind'],
      [{ kind: 'alert', format: 'sentry' }, { clientSecret: 'a-client-secret' }, '/spec/format'],
    ] as const) {
      const { status, body } = await change(id, { spec, ...more })
      expect([status, body.errors[0].pointer]).toEqual([422, pointer])
    }
  })

  it('is compared with If-Match, and the same again changes nothing', async () => {
    const { id } = await add('errors', prometheus)
    const headers = { 'if-match': '"2"' }
    expect((await change(id, { name: 'other' }, headers)).body.code).toBe('revision_mismatch')
    const gone = await app.call('admin', `DELETE /signals/${id}`, { headers })
    expect(gone.body.code).toBe('revision_mismatch')
    await expectNoEvent(app.test, async () => {
      expect((await change(id, { name: 'errors', spec: prometheus })).body.revision).toBe(1)
    })
    const event = await expectOneEvent(app.test, 'signal.updated', async () => {
      const changed = await change(id, { name: 'other', authorization }, { 'if-match': '"1"' })
      expect(changed.body).toMatchObject({ name: 'other', revision: 2, hasCredential: true })
    })
    expect(event.detail).toEqual({ kind: 'prometheus', fields: ['name', 'credential'] })
  })

  it('gets another secret on request, and forgets what the earlier sender said', async () => {
    const { id, secret } = await add('alerts', { kind: 'alert' })
    await app.test.asOwner(
      `update signals set heard_at = now(), firing = '{"a":"2026-11-30T12:00:00.000Z"}' where id = $1`,
      [id],
    )
    const renewed = (await change(id, { newSecret: true })).body
    expect(renewed.secret).toMatch(/^[\w-]{43}$/)
    expect(renewed.secret).not.toBe(secret)
    const rows = await app.test.asOwner('select heard_at, firing from signals where id = $1', [id])
    expect(rows).toEqual([{ heard_at: null, firing: {} }])
    const other = await add('errors', prometheus)
    const refused = await change(other.id, { newSecret: true })
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/newSecret'])
  })
})

describe('a signal that a policy names', () => {
  it('must exist: the policy is refused with the place', async () => {
    const environmentId = await app.addEnvironment('production')
    const { id } = await add('errors', prometheus)
    const protection = {
      prove: { ...defaultProof, signals: [id, 'sig_01kb0000000000000000000000'] },
    }
    for (const [request, body] of [
      [`PATCH /environments/${environmentId}`, { protection }],
      ['POST /environments', { name: 'made', protection }],
    ] as const) {
      const { status, body: problem } = await app.call('admin', request, { body })
      expect([status, problem.errors]).toEqual([
        422,
        [expect.objectContaining({ pointer: '/protection/prove/signals/1' })],
      ])
    }
    await watchWith(environmentId, id)
    expect((await app.ok('viewer', `GET /signals/${id}`)).body.usedBy).toEqual([
      { environmentId, environment: 'production' },
    ])
  })

  it('is not deleted while one does', async () => {
    const environmentId = await app.addEnvironment('production')
    const { id } = await add('errors', prometheus)
    await watchWith(environmentId, id)
    const { status, body } = await app.call('admin', `DELETE /signals/${id}`)
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({
        code: 'signal_in_use',
        environments: [{ environmentId, environment: 'production' }],
      }),
    ])
    await app.ok('admin', `PATCH /environments/${environmentId}`, {
      body: { protection: { prove: null } },
    })
    const event = await expectOneEvent(app.test, 'signal.deleted', () =>
      app.ok('admin', `DELETE /signals/${id}`),
    )
    expect(event.target).toMatchObject({ id, name: 'errors' })
    expect((await app.call('admin', `GET /signals/${id}`)).status).toBe(404)
  })

  it('is confirmed, explained and approved as each environment asks, where it reads otherwise', async () => {
    for (const name of ['ada', 'ben']) {
      const userId = await addMember(app, name, 'admin')
      const session = { via: 'session', authenticatedAt: new Date() } as const
      app.setActor(name, { ...app.person(name), userId, ...session }, 'admin')
    }
    const environmentId = await app.addEnvironment('production')
    const { id } = await add('errors', prometheus, { authorization })
    await watchWith(environmentId, id, { comment: true, approvals: 1 })
    const spec = { ...prometheus, above: 100 }
    expect((await change(id, { spec })).body.code).toBe('comment_required')
    const body = { spec, authorization: 'Bearer planted-later', comment: 'Traffic has grown' }
    const refused = await change(id, body)
    expect(refused.body).toMatchObject({
      code: 'approval_required',
      request: { operation: { kind: 'signal', id, body: { spec: null, authorization: null } } },
      omitted: ['/body/spec', '/body/authorization'],
    })
    // A name and another secret weaken nothing.
    expect((await change(id, { name: 'api-errors' })).status).toBe(200)
    const asked = await app.call('ada', `PATCH /signals/${id}`, {
      body,
      headers: { prefer: 'respond-async' },
    })
    expect(asked.status).toBe(202)
    const path = `/change-requests/${asked.body.id}`
    const seen = await app.ok('ben', `GET ${path}`)
    const signal = (limit: number, more = '') => ({
      id,
      name: 'api-errors',
      spec: `${query} at https://prometheus.example.com/…: bad above ${limit}${more}`,
    })
    expect(seen.body.effects).toMatchObject([
      {
        environmentId,
        schemaId: null,
        before: { signal: signal(2) },
        after: { signal: signal(100, ', with another credential') },
      },
    ])
    for (const as of ['ben', 'viewer', 'm2m', 'developer']) {
      const { text } = await app.ok(as, `GET ${path}`)
      expect(text).not.toMatch(/planted-(?:path|query|header|later)/)
      expect(text.includes('sum(rate(errors')).toBe(as !== 'viewer')
    }
    await app.ok('ben', `POST ${path}/reviews`, { body: { revision: 1, verdict: 'approve' } })
    expect((await app.call('developer', `POST ${path}/apply`)).status).toBe(403)
    await app.ok('ada', `POST ${path}/apply`)
    expect((await app.ok('admin', `GET /signals/${id}`)).body.spec).toEqual(spec)
    expect(await storedText()).not.toMatch(/planted-(?:header|later)/)
  })

  it('is changed by no request of those who may not change it, nor by one that nobody has to approve', async () => {
    const environmentId = await app.addEnvironment('production')
    const { id } = await add('errors', prometheus)
    await watchWith(environmentId, id)
    const spec = { ...prometheus, above: 100 }
    const ask = (as: string, body: object) =>
      app.call(as, 'POST /change-requests', {
        body: { title: 'Ask', operation: { kind: 'signal', id, body } },
      })
    for (const as of ['developer', 'm2m']) expect((await ask(as, { spec })).status).toBe(403)
    expect((await ask('admin', { spec })).body.code).toBe('conflict')
    const alerts = await add('alerts', { kind: 'alert' })
    const renew = await app.call('admin', 'POST /change-requests', {
      body: {
        title: 'Ask',
        operation: { kind: 'signal', id: alerts.id, body: { newSecret: true } },
      },
    })
    expect(renew.body.errors).toMatchObject([{ pointer: '/operation/body/newSecret' }])
    expect((await change(id, { spec })).status).toBe(200)
  })
})
